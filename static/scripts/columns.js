// The columns of the tag table: a link that names some decides; else the choice that this browser keeps.
const columnsInLink = () => new URLSearchParams(location.search).has("columns");
// Before the first paint, so that nothing moves.
if (!columnsInLink() && /^\/(category|release)\//.test(location.pathname)) {
  root.classList.add(...stored("columns", "").split(" ").filter((name) => /^no-\w+$/.test(name)));
}
const columnBoxes = () => all(".columns input[type=checkbox]");
const showColumns = () => {
  for (const box of columnBoxes()) if (root.classList.contains(box.dataset.class)) box.checked = false;
};
const keepColumns = () => {
  for (const box of columnBoxes()) root.classList.toggle(box.dataset.class, !box.checked);
  const hidden = columnBoxes().filter((box) => !box.checked);
  store("columns", hidden.map((box) => box.dataset.class).join(" "));
};
document.addEventListener("change", ({ target }) => target.closest(".columns") && keepColumns());
document.addEventListener("DOMContentLoaded", showColumns);
