// Copy link.
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
  const canonical = one("link[rel=canonical]")?.getAttribute("href") ?? "";
  const link = new URL(canonical, location.href).href;
  const done = await copied(one(`#${button.dataset.of}`)?.textContent ?? link);
  button.focus();
  const what = button.dataset.of ? "Copied" : "Link copied";
  label.textContent = done ? what : "Your browser blocked copying. Press Ctrl+C";
  say(`${label.textContent}.`);
  setTimeout(() => (label.textContent = before), 2000);
};
