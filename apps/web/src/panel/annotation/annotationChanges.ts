import { createStore } from "zustand/vanilla";

/** Counts annotations that this page made: charts read theirs again. */
export const annotationChanges = createStore(() => ({ count: 0 }));
