// Fragments.
// Focus stays on the control that was used; when that is gone, or after paging, it goes to what heads the view.
const settleFocus = (control) => {
  const heading = one("#results :is(#rows, h1, h2)");
  heading.tabIndex = -1;
  if (control?.dataset.then || document.activeElement === document.body) heading.focus();
};
// As on a page that is loaded with it: the menu of a wrong value is open.
const showInvalid = () => {
  const field = one("#view .filters [aria-invalid=true]");
  for (let menu = field?.closest("details"); menu; menu = menu.parentElement.closest("details")) menu.open = true;
  field?.focus();
};
// A form that a link has opened.
document.addEventListener("htmx:afterSwap", ({ detail }) => one(`#${detail.requestConfig?.elt.dataset.focus || "none"}`)?.focus());
// What is shown stays, since the filters of the view are in it.
const showFailure = ({ target, requestConfig: { elt } }, title, first) => {
  // A profile that cannot be had stays a link.
  if (target.id === "profile") return;
  // A page that is loaded again would lose what was entered into its form.
  const again = target.matches("form") ? "press the button again" : "<a>try again</a>";
  const advice = first ? `<p>${first}, then ${again}.` : "";
  target.querySelector(".unreachable")?.remove();
  target.insertAdjacentHTML("afterbegin", `<div class="problem unreachable" role="alert"><h2>${title}</h2>${advice}</div>`);
  target.querySelector(".unreachable a")?.setAttribute("href", elt.href ?? location.href);
};
const results = (event) => event.detail.target?.id === "results";
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { status } = detail.xhr;
  if (detail.target.id === "profile") detail.shouldSwap = status === 200;
  // All that Django renders for htmx has this header. The page of a proxy or of a full queue has none, and no place for it here.
  // No error has a place in a list that still loads.
  const hasPlace = detail.requestConfig.elt.id !== "list-loading";
  if (status >= 400 && !(hasPlace && detail.xhr.getResponseHeader("Vary")?.includes("HX-Request"))) {
    detail.shouldSwap = false;
    if (status === 414) showFailure(detail, "This text is too long. Shorten it");
    else showFailure(detail, "The site could not answer", "Wait a moment");
    return;
  }
  // Filters that were unfolded stay so while one after the other is chosen.
  if (one(".filters-details[open]")) detail.serverResponse = detail.serverResponse.replace('class="filters-details"', "$& open");
});
// So does each part of a list that is unfolded while the list still loads.
document.addEventListener("htmx:oobBeforeSwap", ({ detail: { target, fragment } }) => {
  const loaded = fragment.querySelectorAll("details");
  for (const [place, { open }] of target.querySelectorAll("details").entries()) loaded[place]?.toggleAttribute("open", open);
});
let loading;
document.addEventListener("htmx:beforeRequest", (event) => {
  if (!results(event)) return;
  event.detail.target.ariaBusy = "true";
  clearTimeout(loading);
  loading = setTimeout(() => say("Loading"), 150);
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (!results(event)) return;
  clearTimeout(loading);
  event.detail.target.ariaBusy = "false";
});
for (const moved of ["htmx:pushedIntoHistory", "htmx:replacedInHistory"]) {
  document.addEventListener(moved, ({ detail }) => {
    one("link[rel=canonical]")?.setAttribute("href", new URL(detail.path, location).href);
    // Another filter shows another view than the saved one.
    one("#saved-view")?.remove();
  });
}
for (const failure of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(failure, ({ detail }) => showFailure(detail, "You seem to be offline", "Check your connection"));
}
// An alert is read by itself when it is inserted, so it is not said again.
// A whole page was swapped in: the address, the box and the focus are as if it had been loaded.
const arriveAtPage = ({ dataset: { q, canonical } }, control) => {
  if (canonical) history.replaceState(history.state, "", canonical);
  one("link[rel=canonical]")?.setAttribute("href", location.href);
  showColumns();
  if (control?.matches("form[role=search]")) {
    one("#go-box").value = q;
    window.scrollTo(0, 0);
    one("#main").focus({ preventScroll: true });
  }
  say(one("#main [role=alert]") ? "" : document.title);
};
document.addEventListener("htmx:afterSettle", (event) => {
  arrive();
  const head = one("#main > template");
  if (head) arriveAtPage(head, event.detail.requestConfig?.elt);
  head?.remove();
  const shown = one("#results");
  if (event.detail.requestConfig?.target.id !== "results" || !shown) return;
  const words = one("#words");
  if (words !== document.activeElement) words.value = shown.dataset.words ?? words.value;
  if (shown.dataset.period) one("#period").textContent = shown.dataset.period;
  const invalid = (shown.dataset.invalid ?? "").split(" ");
  for (const field of all("#view .filters [name]")) field.ariaInvalid = String(invalid.includes(field.name));
  settleFocus(event.detail.requestConfig.elt);
  showInvalid();
  say(shown.querySelector("[role=alert]") ? "" : (one("#rows")?.innerText ?? ""));
});

// Back, pressed again while a page still loads: htmx does not listen yet.
const opened = location.href;
const reloadPage = () => location.href !== opened && location.reload();
window.addEventListener("popstate", reloadPage);
