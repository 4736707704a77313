// A dot is named under its picture: a title says nothing to a keyboard.
for (const pointed of ["pointerover", "focusin"]) {
  document.addEventListener(pointed, ({ target }) => {
    if (target.matches?.(".dots circle")) target.closest("figure").querySelector(".named").textContent = target.textContent;
  });
}

// How long ago a moment was, as a title: a page that is kept would say it wrongly.
document.addEventListener("pointerover", ({ target }) => {
  if (!target.matches?.("time[datetime]")) return;
  const seconds = (Date.parse(target.dateTime.replace(/([+-]\d\d)(\d\d)$/, "$1:$2")) - Date.now()) / 1000;
  const units = { year: 31556952, month: 2629746, day: 86400, hour: 3600, minute: 60, second: 1 };
  const [unit, size] = Object.entries(units).find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  if (seconds) target.title = new Intl.RelativeTimeFormat("en").format(Math.trunc(seconds / size), unit);
});
