import type { KeyColumn, PartialSide } from "../../aggregate/partial/partialResult.js";
import { countOf } from "../../aggregate/state/countState.js";

/** Rows, and the events they stand for. */
export interface Weighed {
  readonly rows: number;
  readonly weight: number;
}

export const nothingWeighed: Weighed = { rows: 0, weight: 0 };

export function weighGroup({ states }: PartialSide, group: number): Weighed {
  return { rows: countOf(states[0]!, group), weight: countOf(states[1]!, group) };
}

/** All rows of a side without groups. */
export function weighAll(side: PartialSide): Weighed {
  return side.groupCount === 0 ? nothingWeighed : weighGroup(side, 0);
}

/** Whether a group is that of the rows that have no value. */
export function isMissing(key: KeyColumn, group: number): boolean {
  if (key.kind === "bucket") return false;
  return key.kind === "int" ? key.present[group] === 0 : (key.codes[group] ?? -1) < 0;
}

/** The group of the rows that have no value; -1: every row has one. */
export function missingGroup({ keys, groupCount }: PartialSide): number {
  const [key] = keys;
  if (key === undefined) return -1;
  for (let group = 0; group < groupCount; group++) if (isMissing(key, group)) return group;
  return -1;
}
