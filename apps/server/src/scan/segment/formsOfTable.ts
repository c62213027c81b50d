import type { FormsInRange } from "../../base/row/columnTypes.js";
import { inTurns } from "../../base/schedule/steps.js";
import { StopController } from "../../base/schedule/stopController.js";
import type { LeafRequest } from "../../cluster/leafProtocol.js";
import type { Table } from "../../store/table/table.js";
import { findForms } from "./findForms.js";
import { type ReaderContext, valueReaders } from "./placedValues.js";

/** The forms of columns' values on a leaf in ranges of time. */
export async function formsOfTable(
  request: Extract<LeafRequest, { kind: "forms" }>,
  table: Table | undefined,
  context: ReaderContext,
): Promise<readonly FormsInRange[]> {
  if (table === undefined) return [];
  const segments = table.shown();
  for (const { pins } of segments) pins.pin();
  try {
    const placesOf = (column: string) => table.columns.placesOf(column);
    const steps = findForms(request, segments, placesOf, valueReaders(context));
    return await inTurns(steps, new StopController().signal);
  } finally {
    for (const { pins } of segments) pins.unpin();
  }
}
