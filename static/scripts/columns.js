// The columns of the tag table: a link that names some decides; else the choice that this browser keeps.
const isColumn = (name) => /^no-\w+$/.test(name);
const columnBoxes = () => all(".columns input[type=checkbox]");
// As the page was opened: the first choice there names its columns in the address.
let isChosenHere;
const showColumns = () => {
  isChosenHere = /^\/(category|release)\//.test(location.pathname) && !new URLSearchParams(location.search).has("columns");
  const hidden = isChosenHere ? stored("columns", "").split(" ").filter(isColumn) : [];
  // The search box may have shown another page before.
  root.classList.remove(...[...root.classList].filter(isColumn));
  root.classList.add(...hidden);
  if (isChosenHere) for (const box of columnBoxes()) box.checked = !hidden.includes(box.dataset.class);
};
const keepColumns = () => {
  for (const box of columnBoxes()) root.classList.toggle(box.dataset.class, !box.checked);
  const hidden = columnBoxes().filter((box) => !box.checked);
  if (isChosenHere) store("columns", hidden.map((box) => box.dataset.class).join(" "));
};
document.addEventListener("change", ({ target }) => target.closest(".columns") && keepColumns());
// Before the first paint, so that nothing moves.
showColumns();
