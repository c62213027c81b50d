import type { NumbersQuery } from "../../../query/number/askedNumbers.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

const dayMs = 86_400_000;

/** The same time of the days before; of longer ranges the weeks before. Longer ones have nothing to be held against. */
function offsetsBefore(rangeMs: number): string[] {
  if (rangeMs <= dayMs) return [1, 2, 3, 4, 5, 6, 7].map((days) => `${days}d`);
  return rangeMs <= 7 * dayMs ? [1, 2, 3, 4].map((weeks) => `${weeks}w`) : [];
}

export const bignumber: ViewSpec = {
  id: "bignumber",
  name: "Big numbers",
  group: "over time",
  answers: "How much is it, and is that normal?",
  load: async () => (await import("./BigNumberView.js")).BigNumberView,
  fields: ["compare", "aggregates", "bucket"],
  options: [
    {
      name: "normal",
      label: "Normal",
      choices: () => [
        { value: "before", label: "against earlier times" },
        { value: "off", label: "do not ask" },
      ],
    },
  ],
  needsColumns: false,
  lacks: () => null,
  fill: (state) => state,
  orderNames: () => ["time"],
  build: (_, { counted, bucket, rangeMs, option }) => {
    const overTime: NumbersQuery = { ...counted, groupBy: [{ time: bucket }] };
    const offsets = option("normal") === "off" ? [] : offsetsBefore(rangeMs);
    const before = offsets.map((offset): [string, NumbersQuery] => [
      `before ${offset}`,
      // Only what there was then: side B's filter is not that of the past.
      { ...counted, compare: { offset } },
    ]);
    return { query: counted, extras: { overTime, ...Object.fromEntries(before) } };
  },
};
