import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { coveredTime } from "../key/coverage.js";
import { GroupTable } from "../key/groupTable.js";
import type { JoinedGroups } from "../key/joinSides.js";
import { KeyWords } from "../key/keyWords.js";
import { mergeGroups } from "../merge/mergePartials.js";
import type { PartialResult, PartialSide, StateColumn } from "../partial/partialResult.js";
import { type LeafSizes, wholeSizes } from "./linearEstimate.js";
import type { TimeSizes } from "./timeSizes.js";

/** What an answer is based on: all leaves; some of them, listed; or a part of the rows, chosen in an unknown way. */
export type Evidence =
  | { readonly kind: "whole" }
  | {
      readonly kind: "leaves";
      readonly leaves: readonly LeafShare[];
      /** By side of the query: the expected rows of leaves that are done, and of missing leaves. */
      readonly sizes: readonly TimeSizes[];
      /** Whether the merged result also contains rows of leaves that are not done. */
      readonly mergesUnfinished: boolean;
    }
  | { readonly kind: "unknown" };

/** A leaf that has answered. */
export interface LeafShare {
  readonly parts: readonly PartialResult[];
}

/** One sender's states of the shown rows. */
export interface RowStates {
  readonly states: readonly StateColumn[];
  /** By row of the result: the group of the states, or -1. */
  readonly groups: Int32Array;
}

export interface ShownEvidence {
  /** Per side of the query and shown row: sizes of leaves in the row's time range. */
  readonly sizes: readonly (readonly LeafSizes[])[];
  /** Per side: the leaves that answered, one by one; empty when nothing is missing. */
  readonly leaves: readonly (readonly RowStates[])[];
  /** Per side: the leaves that answered, merged. */
  readonly together: readonly RowStates[];
}

/** Rows of a result, and the groups from which they were chosen. */
interface ShownRows {
  readonly resolved: ResolvedQuery;
  /** Includes leaves that are not done. */
  readonly merged: PartialResult;
  readonly joined: JoinedGroups;
  /** Joined groups, in the order of the result. */
  readonly shown: Uint32Array;
}

/** The states behind the shown rows. */
export function evidenceOfRows(
  evidence: Exclude<Evidence, { kind: "unknown" }>,
  { resolved, merged, joined, shown }: ShownRows,
): ShownEvidence {
  const known = merged.sides.map(
    ({ states }, side): RowStates => ({
      states,
      groups: Int32Array.from(shown, (group) => joined.positions[side]![group]!),
    }),
  );
  if (evidence.kind === "whole") {
    return {
      sizes: known.map(() => new Array<LeafSizes>(shown.length).fill(wholeSizes)),
      leaves: known.map(() => []),
      together: known,
    };
  }
  const { leaves, sizes, mergesUnfinished } = evidence;
  const place = createPlace(joined, shown, resolved);
  const ofLeaves = leaves.map(({ parts }) => asOne(parts, resolved).map(place));
  const done = leaves.flatMap(({ parts }) => parts);
  return {
    sizes: sizes.map((ofSide, side) => {
      const timeOf = coveredTime(resolved, side, joined);
      return Array.from(shown, (group) => ofSide.of(...timeOf(group)));
    }),
    leaves: resolved.sides.map((_, side) => ofLeaves.map((sides) => sides[side]!)),
    together: mergesUnfinished
      ? mergeGroups(done, resolved, "states when asked for").map(place)
      : known,
  };
}

function asOne(parts: readonly PartialResult[], resolved: ResolvedQuery): readonly PartialSide[] {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only.sides;
  return mergeGroups(parts, resolved, "states when asked for");
}

/** Finds the shown rows among a sender's groups, by their keys. */
function createPlace(
  joined: JoinedGroups,
  shown: Uint32Array,
  { groupBy }: ResolvedQuery,
): (side: PartialResult["sides"][number]) => RowStates {
  if (groupBy.length === 0) {
    return ({ groupCount, states }) => ({
      states,
      groups: new Int32Array(shown.length).fill(groupCount === 0 ? -1 : 0),
    });
  }
  const keyWords = new KeyWords(groupBy);
  const { width } = keyWords;
  const rows = new GroupTable(width, shown.length);
  const words = keyWords.encode(joined.keys, joined.count);
  for (const group of shown) rows.add(words, group * width);
  return ({ groupCount, keys, states }) => {
    const groups = new Int32Array(shown.length).fill(-1);
    const own = keyWords.encode(keys, groupCount);
    for (let group = 0; group < groupCount; group++) {
      const row = rows.find(own, group * width);
      if (row >= 0) groups[row] = group;
    }
    return { states, groups };
  };
}
