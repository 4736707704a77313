// Menus, and buttons that do something.
const closeMenus = (but) => {
  for (const menu of all(".menu[open]")) if (menu !== but) menu.open = false;
};
const leaveMenu = () => {
  const menu = one(".menu[open]:focus-within");
  closeMenus();
  menu?.querySelector("summary").focus();
};

// A notice that was read can be closed; it is there again when the page is loaded.
const makeNoticesClosable = () => {
  for (const notice of all(".notice:not(:has([data-action]))")) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "icon-button", title: "Close", ariaLabel: "Close this notice" });
    button.dataset.action = "close";
    button.innerHTML = '<i class="icon drop"></i>';
    notice.append(button);
  }
};
const closeNotice = (button) => {
  button.closest(".notice").remove();
  one("#main").focus({ preventScroll: true });
};

const actions = { theme: nextTheme, copy: copyLink, keys: showKeys, close: closeNotice, list: useList };
document.addEventListener("click", (event) => {
  closeMenus(event.target.closest(".menu"));
  const button = event.target.closest("[data-action]");
  if (button) actions[button.dataset.action](button);
  // The second click of a double click would store everything twice.
  if (event.detail > 1 && event.target.closest("[method=post] button")) event.preventDefault();
});
document.addEventListener("change", ({ target }) => target.id === "keys-on" && store("keys", target.checked ? "on" : "off"));
