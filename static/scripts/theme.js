// Theme.
const themes = ["auto", "light", "dark"];
const themeAfter = (theme) => themes[(themes.indexOf(theme) + 1) % themes.length];
const nameTheme = (theme) => (theme === "auto" ? "automatic" : theme);
const showTheme = (theme = stored("theme", "auto")) => {
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  for (const button of all("[data-action=theme]")) button.title = button.ariaLabel = `Theme: ${nameTheme(theme)}. Switch to ${nameTheme(themeAfter(theme))}`;
};
const nextTheme = () => {
  const next = themeAfter(stored("theme", "auto"));
  store("theme", next);
  showTheme(next);
};
showTheme();
