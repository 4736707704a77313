// The place in the page is kept beside its link, so that Back returns to it.
let leftAt = 0;
let typedFrom;
document.addEventListener("htmx:beforeSwap", () => (leftAt = scrollY));
document.addEventListener("htmx:beforeHistoryUpdate", ({ detail }) => {
  if (detail.history.type === "push") history.replaceState({ htmx: true, leftAt }, "");
  typedFrom = detail.history.type === "push" && detail.elt?.id === "words" ? location.pathname + location.search : typedFrom;
});
const returnToPlace = () => {
  const place = history.state?.leftAt;
  if (place === undefined) return;
  scrollTo(0, place);
  // From now on the browser knows the place.
  history.replaceState({ htmx: true }, "");
};
window.addEventListener("load", returnToPlace);

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
});
