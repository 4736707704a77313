// Theme.
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
