import { shortest } from "../partial/decimalCell.js";
import type { StateColumn } from "../partial/partialResult.js";
import { columnOf, expectCount, type StateKind } from "./stateKind.js";

type ExtremeColumn = Extract<StateColumn, { readonly kind: "extreme" }>;

/** Smallest (largest) integers, and whether there was any. */
export const minState = createExtremeState((candidate, best) => candidate < best);
export const maxState = createExtremeState((candidate, best) => candidate > best);

export function extremeOf(column: StateColumn, group: number): number | bigint | null {
  const { values, present } = columnOf(column, "extreme");
  if (present[group] === 0) return null;
  return shortest(values[group]!);
}

function createExtremeState(beats: (candidate: bigint, best: bigint) => boolean): StateKind {
  return {
    create: (groupCount): ExtremeColumn => ({
      kind: "extreme",
      values: new BigInt64Array(groupCount),
      present: new Uint8Array(groupCount),
    }),

    merge(inputs, groupCount): ExtremeColumn {
      const values = new BigInt64Array(groupCount);
      const present = new Uint8Array(groupCount);
      for (const { column, groups } of inputs) {
        const from = columnOf(column, "extreme");
        for (let i = 0; i < groups.length; i++) {
          if (from.present[i] === 0) continue;
          const group = groups[i]!;
          const candidate = from.values[i]!;
          if (present[group] === 0 || beats(candidate, values[group]!)) values[group] = candidate;
          present[group] = 1;
        }
      }
      return { kind: "extreme", values, present };
    },

    take(column, groups): ExtremeColumn {
      const from = columnOf(column, "extreme");
      const values = new BigInt64Array(groups.length);
      const present = new Uint8Array(groups.length);
      for (let i = 0; i < groups.length; i++) {
        values[i] = from.values[groups[i]!]!;
        present[i] = from.present[groups[i]!]!;
      }
      return { kind: "extreme", values, present };
    },

    encode(column) {
      const { values, present } = columnOf(column, "extreme");
      return { head: { kind: "extreme" }, sections: [values, present] };
    },

    decode: (_, reader): ExtremeColumn => ({
      kind: "extreme",
      values: reader.i64(),
      present: reader.bytes(),
    }),

    check(column, groupCount) {
      const { values, present } = columnOf(column, "extreme");
      expectCount("extremes", values.length, groupCount);
      expectCount("presence", present.length, groupCount);
    },
  };
}
