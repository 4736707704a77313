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
