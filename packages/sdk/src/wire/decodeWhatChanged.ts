import type { ChangedValue, PairChange, ValueChange, WhatChanged } from "../model/whatChanged.js";
import type { AnsweringFrame } from "./frames.js";

/** What changed as JSON has it → as the SDK hands it out: integers beyond 2^53 become BigInt. */
export function decodeWhatChanged(answer: WhatChanged): WhatChanged {
  const isInt = new Set<string>();
  for (const { name, type, decimals } of answer.columns) {
    if (type === "int" && decimals === 0) isInt.add(name);
  }
  const decodeChange = (change: ValueChange): ValueChange => ({
    ...change,
    is: decodeValue(change.is),
  });
  return {
    ...answer,
    columns: answer.columns.map((column) =>
      isInt.has(column.name)
        ? { ...column, best: decodeChange(column.best), values: column.values.map(decodeChange) }
        : column,
    ),
    pairs: answer.pairs.map((pair): PairChange => {
      const [first, second] = pair.columns.map((name, i) =>
        isInt.has(name) ? decodeValue(pair.is[i]!) : pair.is[i]!,
      );
      return { ...pair, is: [first!, second!] };
    }),
  };
}

function decodeValue(is: ChangedValue): ChangedValue {
  if (is.kind !== "value" || typeof is.value !== "string") return is;
  return { kind: "value", value: BigInt(is.value) };
}

/** What changed, inside a frame. */
export function changesOfFrame(frame: AnsweringFrame): WhatChanged {
  if (frame.kind !== "what-changed") throw new Error("what changed is answered with what changed");
  return decodeWhatChanged(frame.whatChanged);
}
