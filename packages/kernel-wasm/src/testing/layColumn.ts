import type { RowSet, Values } from "../base/addresses.js";
import {
  type Case,
  i64Max,
  i64Min,
  randomGroups,
  randomPresent,
  randomRowSet,
  randomValues,
  randomWeights,
  seeded,
  valueRange,
} from "./columns.js";
import type { Random } from "./random.js";
import type { TwinArena } from "./twinArena.js";

/** Groups that the rows of a case fall into. */
export const groupCount = 37;

/**
 * A column, its weights and the groups of its rows, as kernels that add up per group are given
 * them.
 */
export interface LaidColumn {
  readonly random: Random;
  readonly stored: readonly bigint[];
  readonly values: Values;
  readonly weights: Values | null;
  readonly present: number;
  readonly rows: RowSet;
  readonly groups: number;
  /** Legal for this column: value + base stays an int64. */
  readonly base: bigint;
}

/** Lays out one case in a fresh arena; the sizes of the row set's own regions follow from it. */
export function layColumn(arena: TwinArena, each: Case): LaidColumn {
  const random = seeded(each);
  const stored = randomValues(random, each.length, each.width, each.spread);
  const values = arena.clear().values(each.width, stored);
  const weights = randomWeights(arena, random, each);
  const present = randomPresent(arena, random, each);
  const rows = randomRowSet(arena, random, each);
  const groups = randomGroups(arena, random, each, rows, groupCount);
  const [, highest] = valueRange(each.width);
  const base = each.width === 8 ? 0n : random.pick([0n, i64Min, i64Max - highest, -100n]);
  return { random, stored, values, weights, present, rows, groups, base };
}
