import type { ColumnChange, ValueChange, WhatChanged } from "@hadal/sdk";
import type { TimeSpan } from "../../base/row/timeSpan.js";

type Sureness = Pick<ValueChange, "interval" | "p">;

/** What is known where nothing is: a difference of any size may be chance. */
const unknown: Sureness = { interval: [-1, 1], p: 1 };

/**
 * The same finds in the same order, with nothing said of how sure they are. Tests take rows to be kept one by
 * one; where all rows of a key were kept or none, differences by chance are larger by an unknown factor.
 */
export function withoutCertainty(answer: WhatChanged, byKey: TimeSpan): WhatChanged {
  const [from, to] = byKey.map((ms) => new Date(ms).toISOString());
  const text = `How sure the differences are is not known: rows from ${from} to ${to} were thinned or sampled by a key, so that they are missing together and not one by one.`;
  return {
    ...answer,
    columns: answer.columns.map(unsureColumn),
    pairs: answer.pairs.map(unsure),
    chance: 1,
    sampledByKey: byKey,
    notes: [...(answer.notes ?? []), { text }],
  };
}

const unsureColumn = (column: ColumnChange): ColumnChange => ({
  ...column,
  score: 0,
  best: unsure(column.best),
  values: column.values.map(unsure),
});

const unsure = <Change extends Sureness>(change: Change): Change => ({ ...change, ...unknown });
