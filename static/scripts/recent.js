// Recently opened, in this browser only.
const recent = () => {
  try {
    const kept = JSON.parse(stored("recent", "[]"));
    return Array.isArray(kept) ? kept.filter((place) => /^\/\w/.test(place?.path) && typeof place.title === "string") : [];
  } catch {
    return [];
  }
};
const rememberPlace = () => {
  const title = one("[data-recent]")?.dataset.recent;
  if (!title) return;
  const others = recent().filter((place) => place.path !== location.pathname);
  store("recent", JSON.stringify([{ path: location.pathname, title }, ...others].slice(0, 8)));
};
const showPlaces = () => {
  const [list, places] = [one("#recent"), recent()];
  if (!list || !places.length) return;
  list.replaceChildren(
    ...places.map(({ path, title }) => {
      const item = document.createElement("li");
      Object.assign(item.appendChild(document.createElement("a")), { href: path, textContent: title });
      return item;
    }),
  );
  list.closest("section").hidden = false;
};
