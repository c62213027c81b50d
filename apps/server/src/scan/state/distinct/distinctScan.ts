import type { DistinctTask } from "../../task/distinctTask.js";
import { columnInput } from "../columnInput.js";
import { rangeOf } from "../columnRange.js";
import { readyInput } from "../readyInput.js";
import type { StateScan } from "../stateScan.js";
import { addDistinct, prepareDistinct } from "./addDistinct.js";
import { type DistinctSpec, elementSourceOf, lowerDistinct } from "./lowerDistinct.js";
import { readDistinct } from "./readDistinct.js";

/** The set of distinct values of a column of any type. */
export const distinctScan: StateScan<DistinctSpec, DistinctTask> = {
  lower(spec, { segments, groupCount, rowCount, tables, memory }) {
    const range = spec.type === "int" ? rangeOf(spec.column, spec.decimals, segments) : null;
    return lowerDistinct(spec, { segments, range, tables, groupCount, rowCount }, memory);
  },
  input(spec, segment, tables) {
    const { column, type, decimals } = spec;
    // Integers in a column of strings are read as text, with the decimals that they have.
    const wanted = type === "int" ? ({ reads: "values", decimals } as const) : values;
    const input = columnInput(segment, column, wanted);
    return input && { ...input, elements: elementSourceOf(spec, segment, tables) };
  },
  arrays: () => [],
  prepare: prepareDistinct,
  add(context, task, { unit, selection: { rows }, groups, input }) {
    if (input === null) return;
    addDistinct(context, task, { rows, groups }, readyInput(context, unit, rows, input));
  },
  read: ({ memory }, task, { groups }) => readDistinct(memory, task, groups),
  masked: () => "lookup",
};

const values = { reads: "values" } as const;
