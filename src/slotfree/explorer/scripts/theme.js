// Light or dark, as the system or as the user wants.

const listeners = [];

/** Call a function whenever colours have changed: what is drawn on a canvas must be drawn again. */
export function onTheme(listener) {
  listeners.push(listener);
}

/** Return a colour of the style sheet by its name, without the dashes. */
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Follow the system until the user chooses. */
export function startTheme(select) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const dark = select.value === "dark" || (select.value === "auto" && system.matches);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    listeners.forEach((listener) => listener());
  };
  select.addEventListener("change", apply);
  system.addEventListener("change", apply);
  apply();
}
