// Keys.
const keysOn = () => stored("keys", "on") === "on";
const listOfKeys = [
  ["/", "the box at the top"],
  ["j k", "next and previous row"],
  ["Enter", "narrow to the row"],
  ["n p", "next and previous page"],
  ["s", "sort"],
  ["c", "copy link"],
  ["?", "this list"],
];
const showKeys = () => {
  if (!one("#keys")) {
    const kbd = (key) => `<kbd>${key}</kbd>`;
    const items = listOfKeys.map(([pressed, what]) => `<div><dt>${pressed.split(" ").map(kbd).join(" ")}<dd>${what}</div>`);
    document.body.insertAdjacentHTML(
      "beforeend",
      `<dialog id="keys" aria-labelledby="keys-title"><form method="dialog"><h2 id="keys-title">Keys</h2>
        <dl>${items.join("")}</dl><label><input id="keys-on" type="checkbox"> Keys are on</label>
        <button class="plain">Close</button></form></dialog>`,
    );
  }
  one("#keys-on").checked = keysOn();
  one("#keys").showModal();
};
const step = (by) => {
  const rows = all(".tag-table tbody th button");
  const at = rows.indexOf(document.activeElement);
  rows[Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus();
};
const keys = {
  "/": () => all("[role=search] input").find((box) => box.checkVisibility()).select(),
  j: () => step(1),
  k: () => step(-1),
  n: () => one("#page-next")?.click(),
  p: () => one("#page-prev")?.click(),
  s: () => (all("#sort, th[aria-sort] a").find((way) => way.checkVisibility()))?.focus(),
  c: () => {
    const button = one("[data-action=copy]");
    // The answer is shown on the button, which is inside a menu.
    for (const menu of all(".view-menu .menu")) menu.open = menu.contains(button);
    button?.click();
  },
  "?": showKeys,
};
const typing = (element) => element.matches("input, select, textarea, [contenteditable]") || one("dialog[open]");

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") leaveMenu();
  if (event.key === "Escape" && event.target.id === "words") {
    event.target.value = "";
    event.target.dispatchEvent(new Event("input", { bubbles: true }));
  }
  if (event.ctrlKey || event.altKey || event.metaKey || typing(event.target) || !keysOn()) return;
  if (!Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
});
