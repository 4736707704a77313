// The scroll position is kept beside its link, so that Back returns to it.
let leftAt = 0;
let typedFrom;
document.addEventListener("htmx:beforeSwap", () => (leftAt = scrollY));
document.addEventListener("htmx:beforeHistoryUpdate", ({ detail }) => {
  if (detail.history.type === "push") history.replaceState({ htmx: true, leftAt }, "");
  typedFrom = detail.history.type === "push" && detail.requestConfig?.elt.id === "words" ? location.pathname + location.search : typedFrom;
});
// htmx overwrites the state before it loads the page again, so the position waits in the session.
const session = { get: () => sessionStorage.getItem("leftAt"), set: (position) => sessionStorage.setItem("leftAt", position) };
const position = (() => {
  try {
    const found = session.get();
    sessionStorage.removeItem("leftAt");
    return found;
  } catch {
    return null;
  }
})();
// The browser would return to the position at which it left the newer entry.
if (position !== null) history.scrollRestoration = "manual";
const returnToPosition = () => {
  if (position === null) return;
  scrollTo(0, Number(position));
  setTimeout(() => (history.scrollRestoration = "auto"), 100);
};
window.addEventListener("load", returnToPosition);

// A search that was typed and cleared leaves no second entry for the same view.
let leaving = false;
document.addEventListener("htmx:replacedInHistory", ({ detail }) => {
  if (detail.path !== typedFrom) return;
  typedFrom = undefined;
  leaving = true;
  history.back();
});
window.addEventListener("popstate", (event) => {
  if (leaving) event.stopImmediatePropagation();
  leaving = false;
  try {
    if (event.state?.leftAt !== undefined) session.set(event.state.leftAt);
  } catch {}
});
