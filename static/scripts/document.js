// Comfort only: every page works without these files. They are one script, which blocks, so that a stored theme never flashes.
const root = document.documentElement;
// Styles show what needs this script before anything is painted, so that nothing moves.
root.classList.add("js");
const one = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];

// Behind a proxy a canonical link may name another host, which the address bar cannot.
const pathOf = (link) => link.replace(/^\w+:\/\/[^/]*/, "");

// A browser that keeps nothing still works for the page that is open.
const stored = (name, otherwise, storage = "localStorage") => {
  try {
    return window[storage].getItem(name) ?? otherwise;
  } catch {
    return otherwise;
  }
};
const store = (name, value, storage = "localStorage") => {
  try {
    window[storage].setItem(name, value);
  } catch {}
};

// What a screen reader hears.
const say = (words) => {
  const status = one("#status");
  if (status) status.textContent = words;
};
