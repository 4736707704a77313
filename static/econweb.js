// Comfort only: every page works without this file. It is small and blocks, so that a stored theme never flashes.
(() => {
  "use strict";
  const root = document.documentElement;
  const one = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];

  // A browser that keeps nothing still works for the page that is open.
  const stored = (name, otherwise) => {
    try {
      return localStorage.getItem(name) ?? otherwise;
    } catch {
      return otherwise;
    }
  };
  const store = (name, value) => {
    try {
      localStorage.setItem(name, value);
    } catch {}
  };

  // --- Theme ---
  const themes = ["auto", "light", "dark"];
  const showTheme = (theme) => {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    for (const button of all("[data-action=theme]")) button.title = button.ariaLabel = `Colours: ${theme}. Change`;
  };
  const nextTheme = () => {
    const next = themes[(themes.indexOf(stored("theme", "auto")) + 1) % themes.length];
    store("theme", next);
    showTheme(next);
  };
  showTheme(stored("theme", "auto"));

  // --- What a screen reader hears ---
  const say = (words) => {
    const status = one("#status");
    if (status) status.textContent = words;
  };

  // --- Copy link ---
  const copied = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Denied, or a page without HTTPS: a selection can still be copied.
      const field = document.createElement("textarea");
      field.value = text;
      document.body.append(field);
      field.select();
      const done = document.execCommand("copy");
      field.remove();
      return done;
    }
  };
  const copyLink = async (button) => {
    const label = button.querySelector("span");
    const before = (button.dataset.label ??= label.textContent);
    // A button may name what it copies; any other copies the link of the view.
    const done = await copied(one(`#${button.dataset.of}`)?.textContent ?? location.href);
    button.focus();
    label.textContent = done ? "Copied" : "Not allowed";
    say(done ? "Copied." : "The browser does not allow copying.");
    setTimeout(() => (label.textContent = before), 2000);
  };

  // --- Recently opened, in this browser only ---
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

  // --- A busy service: seconds until the next try ---
  let clock;
  const countDown = () => {
    clearInterval(clock);
    const place = one("[data-wait]");
    if (!place) return;
    let left = Number(place.dataset.wait);
    const tick = () => {
      place.textContent = left > 0 ? `in ${left} s` : "now";
      if (left-- <= 0) clearInterval(clock);
    };
    tick();
    clock = setInterval(tick, 1000);
  };

  // --- Keys ---
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
    "/": () => one("#go-box").select(),
    j: () => step(1),
    k: () => step(-1),
    n: () => one("#page-next")?.click(),
    p: () => one("#page-prev")?.click(),
    s: () => one("#order_by")?.focus(),
    c: () => one("[data-action=copy]")?.click(),
    "?": showKeys,
  };
  const typing = (element) => element.matches("input, select, textarea, [contenteditable]") || one("dialog[open]");

  // Up and down walk from a box through its suggestions.
  const walk = (event) => {
    const form = event.target.closest("form.search-form");
    const stops = form ? [form.q, ...form.querySelectorAll(".suggestions a")] : [];
    const at = stops.indexOf(document.activeElement);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (at < 0 || stops.length < 2) return;
    if (event.key === "Escape") {
      form.querySelector(".suggestions").replaceChildren();
      form.q.focus();
    }
    if (!by) return;
    event.preventDefault();
    stops[(at + by + stops.length) % stops.length].focus();
  };

  document.addEventListener("keydown", (event) => {
    walk(event);
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

  // --- A dot is named under its picture: a title says nothing to a keyboard ---
  for (const pointed of ["pointerover", "focusin"]) {
    document.addEventListener(pointed, ({ target }) => {
      if (target.matches?.(".dots circle")) target.closest("figure").querySelector(".named").textContent = target.textContent;
    });
  }

  // --- How long ago a moment was, as a title: a page that is kept would say it wrongly ---
  document.addEventListener("pointerover", ({ target }) => {
    if (!target.matches?.("time[datetime]")) return;
    const seconds = (Date.parse(target.dateTime.replace(/([+-]\d\d)(\d\d)$/, "$1:$2")) - Date.now()) / 1000;
    const units = { year: 31556952, month: 2629746, day: 86400, hour: 3600, minute: 60, second: 1 };
    const [unit, size] = Object.entries(units).find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
    if (seconds) target.title = new Intl.RelativeTimeFormat("en").format(Math.trunc(seconds / size), unit);
  });

  // --- Fragments ---
  // Focus stays on the control that was used; when that is gone, or after paging, it goes to what heads the view.
  const settleFocus = (control) => {
    const heading = one("#results :is(#rows, h1, h2)");
    heading.tabIndex = -1;
    if (control?.dataset.then || document.activeElement === document.body) heading.focus();
  };
  const results = (event) => event.detail.target?.id === "results";
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    // A profile that cannot be had stays a link.
    if (detail.target.id === "profile") detail.shouldSwap = detail.xhr.status === 200;
    // Filters that were unfolded stay so while one after the other is chosen.
    if (one(".filters-details[open]")) detail.serverResponse = detail.serverResponse.replace('class="filters-details"', "$& open");
  });
  let loading;
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (!results(event)) return;
    event.detail.target.ariaBusy = "true";
    clearTimeout(loading);
    loading = setTimeout(() => say("Loading"), 150);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (!results(event)) return;
    clearTimeout(loading);
    event.detail.target.ariaBusy = "false";
  });
  for (const moved of ["htmx:pushedIntoHistory", "htmx:replacedInHistory"]) {
    document.addEventListener(moved, ({ detail }) => {
      one("link[rel=canonical]")?.setAttribute("href", detail.path);
    });
  }
  for (const failure of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(failure, ({ detail: { target } }) => {
      if (target.id === "profile") return;
      // What is shown stays, since the filters of the view are in it.
      target.querySelector(".unreachable")?.remove();
      target.insertAdjacentHTML(
        "afterbegin",
        `<div class="problem unreachable" role="alert"><h2>This portal cannot be reached</h2>
          <p>Nothing is lost. Look at your connection, then <a>try again</a>.</div>`,
      );
      target.querySelector(".unreachable a").href = location.href;
    });
  }
  document.addEventListener("htmx:afterSettle", (event) => {
    arrive();
    const shown = one("#results");
    if (event.detail.requestConfig?.target.id !== "results" || !shown) return;
    const words = one("#words");
    if (words !== document.activeElement) words.value = shown.dataset.words ?? words.value;
    const invalid = (shown.dataset.invalid ?? "").split(" ");
    for (const field of all("#view .filters [name]")) field.ariaInvalid = String(invalid.includes(field.name));
    settleFocus(event.detail.requestConfig.elt);
    say((shown.querySelector("[role=alert]") ?? one("#rows"))?.innerText ?? "");
  });

  // --- Back, pressed again while a page still loads: htmx does not listen yet ---
  const opened = location.href;
  const reloadPage = () => location.href !== opened && location.reload();
  window.addEventListener("popstate", reloadPage);

  // --- Whenever something new is shown ---
  const arrive = () => {
    for (const button of all("[data-action]")) button.hidden = false;
    rememberPlace();
    showPlaces();
    countDown();
  };
  document.addEventListener("DOMContentLoaded", () => {
    // Page and fragment share one URL: Back requests the page again, and fragments with errors are shown as well.
    const shown = { historyCacheSize: 0, refreshOnHistoryMiss: true, historyRestoreAsHxRequest: false, defaultSettleDelay: 0 };
    const safe = { allowEval: false, selfRequestsOnly: true, includeIndicatorStyles: false };
    const responseHandling = [{ code: "204", swap: false }, { code: "...", swap: true }];
    Object.assign(htmx.config, shown, safe, { responseHandling });
    // The page shows errors; without `detail.error` htmx does not log them to the console.
    htmx.logger = (_element, name, detail) => {
      if (/^htmx:(afterRequest|send|timeout)/.test(name)) delete detail.error;
    };
    showTheme(stored("theme", "auto"));
    const canonical = one("link[rel=canonical]")?.getAttribute("href");
    window.removeEventListener("popstate", reloadPage);
    if (canonical && location.href === opened) history.replaceState(history.state, "", canonical + location.hash);
    arrive();
  });
})();
