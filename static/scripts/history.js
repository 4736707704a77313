// The scroll position is kept beside its link, so that Back returns to it.
let leftAt = 0;
let typedFrom;
document.addEventListener("htmx:beforeSwap", () => (leftAt = scrollY));
document.addEventListener("htmx:beforeHistoryUpdate", ({ detail }) => {
  if (detail.history.type !== "push") return;
  history.replaceState({ htmx: true, leftAt }, "");
  typedFrom = detail.requestConfig?.elt.id === "words" ? location.pathname + location.search : undefined;
});
// htmx overwrites the state before it loads the page again, so the position waits in the session.
const storePosition = (position) => store("leftAt", position, "sessionStorage");
const position = stored("leftAt", "", "sessionStorage");
storePosition("");
// The browser would return to the position at which it left the newer entry.
if (position !== "") history.scrollRestoration = "manual";
const returnToPosition = () => {
  if (position === "") return;
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
  if (event.state?.leftAt !== undefined) storePosition(event.state.leftAt);
});
