import { createStore } from "zustand/vanilla";

/** The column that somebody wants to filter by, until the form has opened a filter for it. */
export const askedFilter = createStore<{ readonly column: string | null }>(() => ({
  column: null,
}));
