import { createStore } from "zustand/vanilla";

/** The column to filter by, until the form has opened a filter editor for it. */
export const requestedFilter = createStore<{ readonly column: string | null }>(() => ({
  column: null,
}));
