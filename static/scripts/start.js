// Whenever something new is shown.
const arrive = () => {
  for (const link of all(".site-nav a")) link.ariaCurrent = link.pathname === location.pathname ? "page" : null;
  makeComboboxes();
  makeNoticesClosable();
  rememberPage();
  showRecent();
  rememberList();
  countDown();
};
document.addEventListener("DOMContentLoaded", () => {
  // Page and fragment share one URL: Back requests the page again, and fragments with errors are shown as well.
  const shown = { historyCacheSize: 0, refreshOnHistoryMiss: true, historyRestoreAsHxRequest: false, defaultSettleDelay: 0 };
  const safe = { allowEval: false, selfRequestsOnly: true, includeIndicatorStyles: false };
  const responseHandling = [{ code: "204", swap: false }, { code: "...", swap: true }];
  Object.assign(htmx.config, shown, safe, { responseHandling });
  // The page shows errors; without `detail.error` htmx does not log them to the console.
  htmx.logger = (_element, name, detail) => {
    if (/^htmx:(afterRequest|send|timeout)/.test(name)) delete detail.error;
  };
  showTheme();
  showColumns();
  const canonical = one("link[rel=canonical]")?.href;
  window.removeEventListener("popstate", reloadPage);
  // A saved view keeps its own address.
  const isSaved = one("#saved-view");
  if (canonical && !isSaved && location.href === opened) history.replaceState(history.state, "", pathOf(canonical) + location.hash);
  arrive();
});
// A page that the browser kept whole is older than what other pages have stored.
window.addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  showTheme();
  showColumns();
  showList();
});
