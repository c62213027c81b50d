import { createStore } from "zustand/vanilla";

/** What the reader asked for by a key or a button, until the part that saves has loaded and begun it. */
export const saveRequest = createStore<{ readonly kind: "save" | "save as" | null }>(() => ({
  kind: null,
}));
