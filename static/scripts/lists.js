// Series lists: “Add to list” adds to the user's own list, and the end of loading is announced.
// A link alone makes no list one's own while there is another one. To add, remove or apply there does, and so does a button.
const MAX_NAMED = 6;
const ownList = () => new URLSearchParams(stored("list", ""));
// A saved list has its own address. While the page loads, the canonical link alone names the list.
const addressOfView = () => new URL(
  (location.pathname.includes("/saved/") && (one("#saved-view .facts a") ?? one("link[rel=canonical]"))?.href) || location.href,
);
const openedSearch = () => (addressOfView().pathname === "/series/" ? addressOfView().search : "");
const openedList = () => new URLSearchParams(openedSearch());
const idsOf = (list) => list.get("ids")?.split(",") ?? [];
// A list as of another day would show another version.
const isOfSameDays = (list, other) => ["realtime_start", "realtime_end"].every((name) => list.get(name) === other.get(name));
const daysOf = (list) => [...new Set([list.get("realtime_start"), list.get("realtime_end")])].filter(Boolean).join(" to ");
const nameList = (list) => {
  const ids = idsOf(list);
  return `${ids.slice(0, MAX_NAMED).join(", ")}${ids.length > MAX_NAMED ? " …" : ""}${daysOf(list) && ` as of ${daysOf(list)}`}`;
};
// What the page before in this tab has done; the canonical link has no trace of it.
const added = openedList().get("added");
const storeEdited = (value) => store("edited", value, "sessionStorage");
let isEdited = stored("edited", "", "sessionStorage") !== "";
if (isEdited) storeEdited("");
const isOwn = (list) => {
  const own = ownList();
  if (isEdited) return true;
  if (!own.has("ids")) return added !== null || !daysOf(list);
  const ids = idsOf(list);
  return isOfSameDays(own, list) && [ids, ids.filter((id) => id !== added)].some((before) => `${before}` === `${idsOf(own)}`);
};
// The styles keep the space of the line that leads to one's own list from any other.
const reserveOwnList = () => {
  const opened = openedList();
  root.classList.toggle("has-list", ownList().has("ids") && !(opened.has("ids") && isOwn(opened)));
};
const useList = () => {
  store("list", openedSearch());
  rememberList();
  one("#main").focus({ preventScroll: true });
};
// The page has only the place: it may have 200 series, and few bytes.
const showOwnList = (own) => {
  const line = one("#own");
  if (!line) return;
  const link = document.createElement("a");
  Object.assign(link, { href: location.pathname, search: own, textContent: nameList(own), title: nameList(own) });
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "plain", textContent: "Use this instead" });
  button.dataset.action = "list";
  line.replaceChildren("Your list: ", link, ...(one("#list-rows") ? [button] : []));
};
const rememberList = () => {
  if (one("#list-rows") && openedList().has("ids") && isOwn(openedList())) {
    store("list", openedSearch());
    isEdited = false;
  }
  showList();
};
const showList = () => {
  reserveOwnList();
  const own = ownList();
  showOwnList(own);
  for (const link of all("[data-add]")) {
    const list = ownList();
    if (!isOfSameDays(list, new URLSearchParams(link.search))) continue;
    const ids = idsOf(list);
    const has = ids.includes(link.dataset.add);
    if (!ids.length || (!has && ids.length >= Number(link.dataset.most))) continue;
    if (!has) {
      list.set("ids", [...ids, link.dataset.add].join(","));
      list.set("added", link.dataset.add);
    }
    link.search = list;
    link.textContent = `${has ? "Open" : "Add to"} list (${ids.length})`;
    link.title = `Your list: ${nameList(own)}`;
  }
};
document.addEventListener("submit", ({ target }) => target.id === "list-form" && storeEdited("1"));
document.addEventListener("click", ({ target }) => target.closest("[data-edits]") && storeEdited("1"));
// Another tab may have changed the list since.
window.addEventListener("storage", ({ key }) => key === "list" && showList());
document.addEventListener("click", ({ target }) => target.closest("[data-add]") && showList(), true);
document.addEventListener("htmx:oobAfterSwap", ({ detail: { target } }) => {
  if (target.id === "list-loading" && !one("progress")) say(`Loaded ${one("#list-size").innerText}.`);
});
reserveOwnList();
