import { createStore } from "zustand/vanilla";
import { readerStorage } from "../ui/storage/browserStorage.js";

export type ThemeName = "light" | "dark";

const storageKey = "hadal.theme";
const systemDark = matchMedia("(prefers-color-scheme: dark)");

/** The theme in use: the reader's choice if there is one, else the system's. */
export const theme = createStore<{ name: ThemeName }>(() => ({ name: chosen() ?? system() }));

/** Shows the theme and follows the system until the reader chooses. */
export function startTheme(): void {
  document.documentElement.dataset.theme = theme.getState().name;
  theme.subscribe(({ name }) => {
    document.documentElement.dataset.theme = name;
  });
  const own = (): ThemeName => chosen() ?? system();
  systemDark.addEventListener("change", () => theme.setState({ name: own() }));
  // Paper is white: charts drawn for a dark ground could not be read on it.
  addEventListener("beforeprint", () => theme.setState({ name: "light" }));
  addEventListener("afterprint", () => theme.setState({ name: own() }));
}

/** The other theme, remembered; choosing what the system has goes back to following it. */
export function toggleTheme(): void {
  const name: ThemeName = theme.getState().name === "dark" ? "light" : "dark";
  if (name === system()) readerStorage.removeItem(storageKey);
  else readerStorage.setItem(storageKey, name);
  document.documentElement.dataset.theme = name;
  theme.setState({ name });
}

function chosen(): ThemeName | null {
  const stored = readerStorage.getItem(storageKey);
  return stored === "light" || stored === "dark" ? stored : null;
}

function system(): ThemeName {
  return systemDark.matches ? "dark" : "light";
}
