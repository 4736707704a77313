// Recently viewed, in this browser only. The title of a personal page may be private, and the browser forgets it.
const isPersonal = (path) => path.startsWith("/me/");
const isKept = (page) => /^\/\w/.test(page?.path) && typeof page.title === "string" && !isPersonal(page.path);
const recent = () => {
  try {
    const kept = JSON.parse(stored("recent", "[]"));
    return Array.isArray(kept) ? kept.filter(isKept) : [];
  } catch {
    return [];
  }
};
// Lists and comparisons are what their link names; of other views the page alone is remembered.
const pageShown = () => (/^\/(series|compare)\/$/.test(location.pathname) ? location.pathname + location.search : location.pathname);
const rememberPage = () => {
  const title = one("[data-recent]")?.dataset.recent;
  const shown = title && !isPersonal(location.pathname) ? [{ path: pageShown(), title }] : [];
  const others = recent().filter((page) => page.path !== pageShown());
  store("recent", JSON.stringify([...shown, ...others].slice(0, 8)));
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
