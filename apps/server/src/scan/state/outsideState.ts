import type { StateSpec } from "../../plan/query/resolvedQuery.js";
import { EvaluatedTexts } from "../derive/derivedColumn.js";
import type { StateTask } from "../task/scanTask.js";
import type { StateScan } from "./stateScan.js";

type OutsideSpec = Extract<StateSpec, { readonly kind: "function" | "text" }>;
type OutsideTask = Extract<StateTask, { readonly kind: "function" }>;

/**
 * Functions of users and extremes of texts: the scan finds the groups, and the main thread or the
 * sandbox the states.
 */
export const outsideScan: StateScan<OutsideSpec, OutsideTask> = {
  lower: () => ({ kind: "function" }),
  input(spec, { columns }) {
    const names = spec.kind === "text" ? [spec.column] : spec.columns.map(({ name }) => name);
    for (const name of names) {
      const column = columns.get(name);
      // Texts that are made row by row read dictionaries, which are written while the query is
      // lowered.
      if (column instanceof EvaluatedTexts) void column.source;
    }
    return null;
  },
  arrays: () => [],
  add() {},
  // The number of each group: its state takes that place.
  read: (_, __, { groups }) => ({
    kind: "function",
    states: Array.from(groups, (group) => [String(group)]),
  }),
  masked: () => "never",
};
