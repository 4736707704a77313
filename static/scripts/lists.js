// Series lists: “Add to a list” adds to the list that was opened last, and the end of loading is announced.
const MAX_IDS = 200;
const rememberList = () => {
  if (one("#list-rows")) store("list", location.search);
  for (const link of all("[data-add]")) {
    const list = new URLSearchParams(stored("list", ""));
    const ids = list.get("ids")?.split(",") ?? [];
    const has = ids.includes(link.dataset.add);
    if (!ids.length || (!has && ids.length >= MAX_IDS)) continue;
    if (!has) {
      list.set("ids", [...ids, link.dataset.add].join(","));
      list.set("added", link.dataset.add);
    }
    link.search = list;
    link.textContent = `${has ? "Open" : "Add to"} list (${ids.length})`;
    link.title = `The list that you opened last: ${ids.length} series`;
  }
};
document.addEventListener("htmx:oobAfterSwap", ({ detail: { target } }) => {
  if (target.id === "list-loading" && !one("progress")) say(`Loaded ${one("#list-size").innerText}.`);
});
