import { createStore } from "zustand/vanilla";
import { readerStorage } from "../ui/storage/browserStorage.js";

export type ThemeName = "light" | "dark";

const storageKey = "hadal.theme";
const systemDark = matchMedia("(prefers-color-scheme: dark)");

/** The current theme: the reader's choice, else the system's. */
export const theme = createStore<{ name: ThemeName }>(() => ({ name: chosen() ?? system() }));

/** Shows the theme and follows the system until the reader chooses. */
export function startTheme(): void {
  document.documentElement.dataset.theme = theme.getState().name;
  theme.subscribe(({ name }) => {
    document.documentElement.dataset.theme = name;
  });
  const own = (): ThemeName => chosen() ?? system();
  systemDark.addEventListener("change", () => theme.setState({ name: own() }));
  // Charts in dark colors cannot be read on white paper.
  addEventListener("beforeprint", () => theme.setState({ name: "light" }));
  addEventListener("afterprint", () => theme.setState({ name: own() }));
}

/** Switches the theme and stores the choice, unless it is the system's theme. */
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
