import type { ThinningBasis } from "../../base/row/reduction.js";
import type { Steps } from "../../base/schedule/steps.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import type { TableContext } from "../segment/tableContext.js";
import { chance, chanceOfText } from "./chance.js";
import { openKeyTexts } from "./keyTexts.js";

/** Rows read in one step. */
const stepRows = 2_048;

/** Rows that stay, ascending, and by how much the weight of each grows. */
export interface ThinnedRows {
  readonly rows: Uint32Array;
  readonly factors: Uint32Array;
}

/**
 * Rows with the same value of a column stay or go together, in all segments alike: a value stays
 * when its hash is below a bound, which falls with each order, so that values that are gone from
 * some rows do not stay in others. Rows without a value go by chance, each for itself.
 */
export function* rowsByKey(
  segment: SealedSegment,
  column: string,
  factor: number,
  context: TableContext,
): Steps<ThinnedRows> {
  const rows: number[] = [];
  const texts = openKeyTexts(segment, context);
  try {
    const keyOf = texts.of(column);
    // What is left of earlier orders is below their bound already.
    const share = 1 / ((segment.thinnedKeys?.get(column) ?? 1) * factor);
    const keyless = new Neighbourhoods(segment);
    for (let row = 0; row < segment.rowCount; row++) {
      if (row % stepRows === 0) yield;
      const key = keyOf(row);
      const stays = key === null ? keyless.keeps(0, factor) : chanceOfText(column, key) < share;
      if (stays) rows.push(row);
    }
  } finally {
    texts.close();
  }
  return { rows: Uint32Array.from(rows), factors: new Uint32Array(rows.length).fill(factor) };
}

/**
 * Of each group of the segment one row in `factor` stays, or more so that there are at least
 * `keepAtLeast`: their weights grow by as much as their own group was thinned.
 */
export function* rowsByGroups(
  segment: SealedSegment,
  { columns, keepAtLeast }: Extract<ThinningBasis, { kind: "groups" }>,
  factor: number,
  context: TableContext,
): Steps<ThinnedRows> {
  const { groupOf, counts } = yield* groupRows(segment, columns, context);
  const factorOf = counts.map((count) =>
    Math.max(1, Math.min(factor, Math.floor(count / keepAtLeast))),
  );
  const rows: number[] = [];
  const factors: number[] = [];
  const groups = new Neighbourhoods(segment);
  for (let row = 0; row < segment.rowCount; row++) {
    if (row % stepRows === 0) yield;
    const group = groupOf[row]!;
    if (!groups.keeps(group, factorOf[group]!)) continue;
    rows.push(row);
    factors.push(factorOf[group]!);
  }
  return { rows: Uint32Array.from(rows), factors: Uint32Array.from(factors) };
}

interface GroupedRows {
  /** The number of each row's group. */
  readonly groupOf: Uint32Array;
  /** Rows by group. */
  readonly counts: readonly number[];
}

/** A missing value is a value of its own. */
function* groupRows(
  segment: SealedSegment,
  columns: readonly string[],
  context: TableContext,
): Steps<GroupedRows> {
  const groups = new Map<string, number>();
  const groupOf = new Uint32Array(segment.rowCount);
  const counts: number[] = [];
  const texts = openKeyTexts(segment, context);
  try {
    const readers = columns.map((column) => texts.of(column));
    for (let row = 0; row < segment.rowCount; row++) {
      if (row % stepRows === 0) yield;
      const key = JSON.stringify(readers.map((read) => read(row)));
      const group = groups.get(key) ?? groups.size;
      groups.set(key, group);
      groupOf[row] = group;
      counts[group] = (counts[group] ?? 0) + 1;
    }
  } finally {
    texts.close();
  }
  return { groupOf, counts };
}

/** Of every so many rows of a group that follow each other one stays, at a place left to chance. */
class Neighbourhoods {
  readonly #segment: Pick<SealedSegment, "generation" | "thinned">;
  /** Rows of each group so far. */
  readonly #seen: number[] = [];
  /** The place in the neighbourhood that each group has reached. */
  readonly #chosen: number[] = [];

  constructor(segment: Pick<SealedSegment, "generation" | "thinned">) {
    this.#segment = segment;
  }

  /** Whether the next row of the group stays. */
  keeps(group: number, factor: number): boolean {
    const seen = this.#seen[group] ?? 0;
    this.#seen[group] = seen + 1;
    const place = seen % factor;
    if (place === 0) {
      const { generation, thinned } = this.#segment;
      const luck = chance(generation, thinned, group, seen / factor);
      this.#chosen[group] = Math.floor(luck * factor);
    }
    return this.#chosen[group] === place;
  }
}
