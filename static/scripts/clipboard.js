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
  const done = await copied(one(`#${button.dataset.of}`)?.textContent ?? location.href);
  button.focus();
  label.textContent = done ? "Copied" : "Not allowed";
  say(done ? "Copied." : "The browser does not allow copying.");
  setTimeout(() => (label.textContent = before), 2000);
};
