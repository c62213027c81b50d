import { createStore } from "zustand/vanilla";

/** Whether the reader wants to pin the query to a dashboard. */
export const pinRequest = createStore<{ readonly isOpen: boolean }>(() => ({ isOpen: false }));
