// A combobox is any input inside an element with `data-combobox`, one input in each; the element is no label.
// `data-suggest` is the address of the suggestions. "open" opens what is chosen, "fill" puts its value into the field.
const closeCombobox = (box) => {
  const { combobox } = box;
  if (!combobox) return;
  clearTimeout(combobox.timer);
  combobox.request?.abort();
  combobox.list.hidden = true;
  combobox.list.replaceChildren();
  box.ariaExpanded = "false";
  box.removeAttribute("aria-activedescendant");
};
const showSuggestions = (box, html) => {
  const { list } = box.combobox;
  list.innerHTML = html;
  const opened = new Set(recent().map(({ path }) => path));
  for (const group of list.querySelectorAll("[role=group]")) {
    // What this browser opened before comes first.
    group.append(...[...group.querySelectorAll("a")].sort((a, b) => opened.has(b.pathname) - opened.has(a.pathname)));
  }
  const options = [...list.querySelectorAll("[role=option]")];
  for (const [at, option] of options.entries()) {
    option.id = `${list.id}-${at}`;
    option.ariaSelected = "false";
  }
  list.hidden = !list.firstElementChild;
  box.ariaExpanded = String(!list.hidden);
  box.removeAttribute("aria-activedescendant");
  const first = list.querySelector(".first span")?.textContent ?? "";
  const others = options.length - Number(Boolean(first));
  const count = `${others} suggestion${others === 1 ? "" : "s"}.`;
  say(options.length ? `${first && `Enter: ${first}. `}${count}` : list.textContent.trim());
};
// A key as in an address, and as in code or JSON: the patterns of econweb/redaction.py.
const PASTED_KEY = /(api_?key(?:=|%3d))[^&#\s]*/gi;
const QUOTED_KEY = /api_?key(?:["']\s{0,9}[=:]|\s{1,9}[=:]|:)\s{0,9}["']?[a-z0-9]{16}[^&#\s]*/gi;
// A pasted key stays in this browser.
const withoutKey = (text) => text.trim().replace(QUOTED_KEY, "…").replace(PASTED_KEY, "$1");
// What the first source of a comparison is, as the page says, or its text, if somebody has changed it.
const firstSource = ({ form, combobox }) => {
  const { a: first } = form.elements;
  if (!first || combobox.holder.contains(first)) return "";
  return (first.value === first.defaultValue && combobox.holder.dataset.beside) || withoutKey(first.value);
};
const suggest = async (box) => {
  const { combobox } = box;
  closeCombobox(box);
  const q = withoutKey(box.value);
  if (!q) return;
  const { suggest: address } = combobox.holder.dataset;
  const beside = firstSource(box);
  const words = new URLSearchParams({ q, ...(combobox.fills && { fill: "1" }), ...(beside && { beside }) });
  for (const name of ["realtime_start", "realtime_end"]) {
    const day = combobox.holder.querySelector(`[name=${name}]`)?.value;
    if (day) words.set(name, day);
  }
  combobox.request = new AbortController();
  const { signal } = combobox.request;
  try {
    // A redirect leads to the page to sign in: with "manual" it is an answer that is not ok.
    const answer = await fetch(`${address}?${words}`, { signal, redirect: "manual" });
    const html = answer.ok ? await answer.text() : "";
    if (!signal.aborted && document.activeElement === box) showSuggestions(box, html);
  } catch {
    // Without suggestions the box is a plain form.
  }
};
const moveInSuggestions = (box, by) => {
  const options = [...box.combobox.list.querySelectorAll("[role=option]")];
  const at = options.findIndex((option) => option.ariaSelected === "true");
  options[at]?.setAttribute("aria-selected", "false");
  // Past either end nothing is chosen, so that Enter sends what was typed.
  const next = options[at < 0 && by < 0 ? options.length - 1 : at + by];
  next?.setAttribute("aria-selected", "true");
  next?.scrollIntoView({ block: "nearest" });
  if (next) box.setAttribute("aria-activedescendant", next.id);
  else box.removeAttribute("aria-activedescendant");
};
const chooseSuggestion = (box, option) => {
  if (!box.combobox.fills) return option.click();
  box.value = option.dataset.value;
  closeCombobox(box);
  box.dispatchEvent(new Event("change", { bubbles: true }));
};
const pressInCombobox = (event) => {
  const box = event.target;
  const { list } = box.combobox;
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.isComposing || (!by && list.hidden)) return;
  const chosen = list.querySelector("[aria-selected=true]");
  if (by && list.hidden) suggest(box);
  else if (by) moveInSuggestions(box, by);
  else if (event.key === "Escape") closeCombobox(box);
  else if (event.key === "Enter" && chosen) chooseSuggestion(box, chosen);
  else return;
  event.preventDefault();
};
const makeCombobox = (box, number) => {
  const holder = box.closest("[data-combobox]");
  const list = document.createElement("div");
  box.id ||= `combobox-${number}`;
  Object.assign(list, { id: `${box.id}-list`, className: "suggestions", role: "listbox", ariaLabel: "Suggestions", hidden: true });
  holder.append(list);
  box.combobox = { holder, list, fills: holder.dataset.combobox === "fill" };
  Object.assign(box, { role: "combobox", ariaExpanded: "false", ariaAutoComplete: "list" });
  box.setAttribute("aria-controls", list.id);
  // The header has no space for a hint below the box, and a phone none for a long one in it.
  if (box.id === "go-box" && matchMedia("(width >= 75rem)").matches) box.placeholder = box.ariaLabel;
  box.addEventListener("input", () => {
    clearTimeout(box.combobox.timer);
    box.combobox.timer = setTimeout(suggest, 150, box);
  });
  box.addEventListener("keydown", pressInCombobox);
  box.addEventListener("blur", () => closeCombobox(box));
  // The focus stays in the box, and the list as it is: a click on an option that is replaced would be lost.
  list.addEventListener("mousedown", (event) => {
    event.preventDefault();
    clearTimeout(box.combobox.timer);
    box.combobox.request?.abort();
  });
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (!option || !box.combobox.fills) return;
    event.preventDefault();
    chooseSuggestion(box, option);
  });
};
const makeComboboxes = () => {
  for (const [at, box] of all("[data-combobox] input:not([type=hidden])").entries()) if (!box.combobox) makeCombobox(box, at);
};
const closeComboboxes = () => {
  for (const box of all("[role=combobox]")) closeCombobox(box);
};
document.addEventListener("submit", closeComboboxes);
// A page that the browser kept whole comes back with what was typed, perhaps with a key in it.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) for (const box of all("[role=combobox][type=search]")) box.value = box.defaultValue;
});
