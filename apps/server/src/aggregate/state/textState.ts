import { decodeStrings, encodeStrings } from "../../base/bytes/stringList.js";
import { compareCodePoints } from "../../base/text/codePointOrder.js";
import type { StateColumn } from "../partial/partialResult.js";
import { columnOf, expectCount, type StateKind } from "./stateKind.js";

type TextColumn = Extract<StateColumn, { readonly kind: "texts" }>;

export type WhichText = "min" | "max";

/** Whether a text is smaller (larger) than the best so far, by code point. */
export function beatsText(which: WhichText, candidate: string, best: string): boolean {
  const order = compareCodePoints(candidate, best);
  return which === "min" ? order < 0 : order > 0;
}

export function textOfState(column: StateColumn, group: number): string | null {
  return columnOf(column, "texts").values[group] ?? null;
}

const states = { min: createTextState("min"), max: createTextState("max") } as const;

/** Smallest (largest) texts; null where there was none. */
export function textState(which: WhichText): StateKind {
  return states[which];
}

function createTextState(which: WhichText): StateKind {
  return {
    create: (groupCount): TextColumn => ({
      kind: "texts",
      values: new Array<string | null>(groupCount).fill(null),
    }),

    merge(inputs, groupCount): TextColumn {
      const values = new Array<string | null>(groupCount).fill(null);
      for (const { column, groups } of inputs) {
        const from = columnOf(column, "texts").values;
        for (let i = 0; i < groups.length; i++) {
          const candidate = from[i] ?? null;
          const best = values[groups[i]!] ?? null;
          if (candidate === null) continue;
          if (best === null || beatsText(which, candidate, best)) values[groups[i]!] = candidate;
        }
      }
      return { kind: "texts", values };
    },

    take(column, groups): TextColumn {
      return { kind: "texts", values: Array.from(groups, (group) => textOfState(column, group)) };
    },

    encode(column) {
      const { values } = columnOf(column, "texts");
      const present = Uint8Array.from(values, (value) => (value === null ? 0 : 1));
      const { text, lengths } = encodeStrings(values.map((value) => value ?? ""));
      return { head: { kind: "texts" }, sections: [present, text, lengths] };
    },

    decode(_, reader): TextColumn {
      const present = reader.bytes();
      const text = reader.bytes();
      const all = decodeStrings(text, reader.u32());
      if (all.length !== present.length) {
        throw new Error(`found ${all.length} texts, expected ${present.length}`);
      }
      return { kind: "texts", values: all.map((value, i) => (present[i] === 0 ? null : value)) };
    },

    check(column, groupCount) {
      expectCount("texts", columnOf(column, "texts").values.length, groupCount);
    },
  };
}
