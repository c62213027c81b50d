import { type BenchTable, coded, hash32, ints, timesOf } from "./benchTable.js";
import { generateEvents } from "./eventTables.js";

const tags = ["beta", "canary", "dark", "eu", "ios", "legacy", "paid", "trial"] as const;
const frames = [
  ...["main", "loop", "dispatch", "render", "layout", "paint", "diff", "commit"],
  ...["fetch", "parse", "decode", "cache", "lock", "wait", "log", "flush"],
] as const;
const stackCount = 5_000;
const frameCountMax = 12;

/** Feature sets and call stacks: few distinct sets, thousands of distinct stacks. */
export const taggedEvents: BenchTable = {
  name: "tagged_events",
  lists: ["tags", "stack"],
  rowCount: (total) => Math.ceil(total / 5),
  rows: (first, count, rowCount) => {
    const masks = new Int32Array(count);
    const stacks = new Int32Array(count);
    for (let i = 0; i < count; i++) {
      // Each tag on a quarter of the rows.
      const hash = hash32((first + i) * 16 + 13);
      masks[i] = hash & (hash >>> 8) & 0xff;
      stacks[i] = Math.floor(stackCount * (hash32((first + i) * 16 + 12) / 2 ** 32) ** 2);
    }
    const { latencyUs } = generateEvents(first, count);
    const columns = [
      coded("tags", masks, printTags, "set"),
      coded("stack", stacks, printStack, "vector"),
      ints("latency_us", latencyUs),
    ];
    return { rowCount: count, times: timesOf(first, count, rowCount), columns };
  },
};

/** Ascending, as a set's text is. */
function printTags(mask: number): string {
  return JSON.stringify(tags.filter((_, bit) => (mask >> bit) & 1));
}

function printStack(stack: number): string {
  const length = 3 + (hash32(stack * 16) % (frameCountMax - 2));
  const names = Array.from(
    { length },
    (_, depth) => frames[hash32(stack * 16 + depth + 1) % frames.length],
  );
  return JSON.stringify(names);
}
