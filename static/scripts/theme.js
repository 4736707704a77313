// Theme.
const themes = ["auto", "light", "dark"];
const themeAfter = (theme) => themes[(themes.indexOf(theme) + 1) % themes.length];
const showTheme = (theme) => {
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  for (const button of all("[data-action=theme]")) button.title = button.ariaLabel = `Theme: ${theme === "auto" ? "automatic" : theme}. Switch to ${themeAfter(theme)}`;
};
const nextTheme = () => {
  const next = themeAfter(stored("theme", "auto"));
  store("theme", next);
  showTheme(next);
};
showTheme(stored("theme", "auto"));
