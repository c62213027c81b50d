import type { Annotation } from "@hadal/sdk";
import { createContext } from "react";

export interface Shown {
  readonly annotations: readonly Annotation[];
  /** What is not among them, in words. */
  readonly notes: readonly string[];
}

export const noAnnotations: Shown = { annotations: [], notes: [] };

/** What charts over time mark: annotations of the table that is shown. */
export const ShownAnnotations = createContext(noAnnotations);
