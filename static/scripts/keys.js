// Keys.
const keysOn = () => stored("keys", "on") === "on";
// Where nothing may be stored, a tag has no page, and its name is the button that narrows the view.
const tagOfRow = ".tag-table tbody th > :first-child";
const filterField = "#words, main .filters input:not([type=hidden])";
// The last of each is what a page must have for the keys to do something there.
const listOfKeys = [
  ["/", "Search"],
  ["g h", "Home"],
  ["b", "Browse"],
  ["f", "Filter", filterField],
  ["j k", "Next and previous row", tagOfRow],
  ["Enter", "Open the tag", `${tagOfRow}:is(a)`],
  ["o", "Show only this tag", tagOfRow],
  ["n", "Next page", "#page-next"],
  ["p", "Previous page", "#page-prev"],
  ["s", "Sort", "#sort, th[aria-sort] a"],
  ["c", "Copy link", "[data-action=copy]"],
  ["?", "Show shortcuts"],
];
const showKeys = () => {
  one("#keys")?.remove();
  const kbd = (key) => `<kbd>${key}</kbd>`;
  const working = listOfKeys.filter(([, , needed]) => !needed || one(needed));
  const items = working.map(([pressed, what]) => `<div><dt>${pressed.split(" ").map(kbd).join(" ")}<dd>${what}</div>`);
  document.body.insertAdjacentHTML(
    "beforeend",
    `<dialog id="keys" aria-labelledby="keys-title"><form method="dialog"><h2 id="keys-title">Keyboard shortcuts</h2>
      <dl>${items.join("")}</dl><label><input id="keys-on" type="checkbox"> Enable shortcuts</label>
      <button class="plain">Close</button></form></dialog>`,
  );
  one("#keys-on").checked = keysOn();
  one("#keys").showModal();
};
const step = (by) => {
  const rows = all(tagOfRow);
  const at = rows.indexOf(document.activeElement);
  rows[Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus();
};
// Until when h leads home, after g.
let goUntil = 0;
const keys = {
  "/": () => {
    // On the home page the box of the header is hidden.
    const box = all("[role=search] input").find((each) => each.checkVisibility());
    box.focus();
    box.select();
  },
  j: () => step(1),
  k: () => step(-1),
  o: () => document.activeElement.closest(".tag-table tbody tr")?.querySelector("th button").click(),
  n: () => one("#page-next")?.click(),
  p: () => one("#page-prev")?.click(),
  s: () => (all("#sort, th[aria-sort] a").find((way) => way.checkVisibility()))?.focus(),
  c: () => {
    const button = one("[data-action=copy]");
    // The answer is shown on the button, which is inside a menu.
    for (const menu of all(".view-menu .menu")) menu.open = menu.contains(button);
    button?.click();
  },
  f: () => one(filterField)?.focus(),
  b: () => one(".site-nav a").click(),
  g: () => (goUntil = Date.now() + 1500),
  h: () => Date.now() < goUntil && one(".wordmark").click(),
  "?": showKeys,
};
const typing = (element) => element.matches("input, select, textarea, [contenteditable]") || one("dialog[open]");
// The home page begins in the search box, so the shortcut to it is pressed there.
const beginsSearch = ({ key, target }) => key === "/" && target.matches("[role=search] input") && !target.value;

document.addEventListener("keydown", (event) => {
  // An input method takes the keys while it composes.
  if (event.isComposing) return;
  if (event.key === "Escape") leaveMenu();
  if (event.key === "Escape" && event.target.id === "words") {
    event.target.value = "";
    event.target.dispatchEvent(new Event("input", { bubbles: true }));
  }
  if (event.ctrlKey || event.altKey || event.metaKey || !keysOn()) return;
  if (!Object.hasOwn(keys, event.key) || (typing(event.target) && !beginsSearch(event))) return;
  event.preventDefault();
  keys[event.key]();
});
