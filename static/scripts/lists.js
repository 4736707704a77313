// Series lists: “Add to a list” adds to the list that was opened last, and the end of loading is announced.
const MAX_IDS = 200;
const rememberList = () => {
  if (one("#list-rows")) store("list", location.search);
  for (const link of all("[data-add]")) {
    const list = new URLSearchParams(stored("list", ""));
    const ids = list.get("ids")?.split(",") ?? [];
    if (!ids.length || ids.length >= MAX_IDS || ids.includes(link.dataset.add)) continue;
    list.set("ids", [...ids, link.dataset.add].join(","));
    link.search = list;
    link.title = `The list that you opened last: ${ids.length} series`;
  }
};
document.addEventListener("htmx:oobAfterSwap", ({ detail: { target } }) => {
  if (target.id === "list-loading" && !one("progress")) say(`Loaded ${one("#list-size").innerText}.`);
});
