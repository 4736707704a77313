// Recently viewed, in this browser only.
const recent = () => {
  try {
    const kept = JSON.parse(stored("recent", "[]"));
    return Array.isArray(kept) ? kept.filter((page) => /^\/\w/.test(page?.path) && typeof page.title === "string") : [];
  } catch {
    return [];
  }
};
// Lists and comparisons are what their link names; of other views the page alone is remembered.
const pageShown = () => (/^\/(series|compare)\/$/.test(location.pathname) ? location.pathname + location.search : location.pathname);
const rememberPage = () => {
  const title = one("[data-recent]")?.dataset.recent;
  if (!title) return;
  const others = recent().filter((page) => page.path !== pageShown());
  store("recent", JSON.stringify([{ path: pageShown(), title }, ...others].slice(0, 8)));
  reserveRecent();
};
// The styles keep the space of the list, which is filled when the page is there.
const reserveRecent = () => {
  root.classList.toggle("has-recent", recent().length > 0);
  root.style.setProperty("--recent", recent().length);
};
const showRecent = () => {
  one("#recent")?.replaceChildren(
    ...recent().map(({ path, title }) => {
      const item = document.createElement("li");
      Object.assign(item.appendChild(document.createElement("a")), { href: path, textContent: title });
      return item;
    }),
  );
};
reserveRecent();
