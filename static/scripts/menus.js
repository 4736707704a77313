// Menus, and buttons that do something.
const closeMenus = (but) => {
  for (const menu of all(".menu[open]")) if (menu !== but) menu.open = false;
};
const leaveMenu = () => {
  const menu = one(".menu[open]:focus-within");
  closeMenus();
  menu?.querySelector("summary").focus();
};

const actions = { theme: nextTheme, copy: copyLink, keys: showKeys };
document.addEventListener("click", (event) => {
  closeMenus(event.target.closest(".menu"));
  const button = event.target.closest("[data-action]");
  if (button) actions[button.dataset.action](button);
});
document.addEventListener("change", ({ target }) => target.id === "keys-on" && store("keys", target.checked ? "on" : "off"));
