import { decodeStrings, encodeStrings } from "../../base/bytes/stringList.js";
import type { StateColumn } from "../partial/partialResult.js";
import { columnOf, expectCount, type StateKind } from "./stateKind.js";

type FunctionColumn = Extract<StateColumn, { readonly kind: "function" }>;

/** States of a user's function, which only a sandbox can merge: until then they are kept side by side. */
export const functionState: StateKind = {
  create: (groupCount): FunctionColumn => ({
    kind: "function",
    states: Array.from({ length: groupCount }, () => []),
  }),

  merge(inputs, groupCount): FunctionColumn {
    const states = Array.from({ length: groupCount }, (): string[] => []);
    for (const { column, groups } of inputs) {
      const from = columnOf(column, "function");
      for (let i = 0; i < groups.length; i++) states[groups[i]!]!.push(...from.states[i]!);
    }
    return { kind: "function", states };
  },

  take(column, groups): FunctionColumn {
    const { states } = columnOf(column, "function");
    return { kind: "function", states: Array.from(groups, (group) => states[group]!) };
  },

  encode(column) {
    const { states } = columnOf(column, "function");
    const { text, lengths } = encodeStrings(states.flat());
    const counts = Uint32Array.from(states, ({ length }) => length);
    return { head: { kind: "function" }, sections: [counts, text, lengths] };
  },

  decode(_, reader): FunctionColumn {
    const counts = reader.u32();
    const text = reader.bytes();
    const all = decodeStrings(text, reader.u32());
    let at = 0;
    const states = Array.from(counts, (count) => {
      at += count;
      return all.slice(at - count, at);
    });
    if (at !== all.length) throw new Error(`found ${all.length} states, expected ${at}`);
    return { kind: "function", states };
  },

  check(column, groupCount) {
    expectCount("lists of states", columnOf(column, "function").states.length, groupCount);
  },
};
