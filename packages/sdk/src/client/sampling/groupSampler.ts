import type { Sampler, SamplerDeps } from "./sampling.js";
import { valueText } from "./valueText.js";

const windowMs = 1_000;
/** Further groups of a window share one. */
const groupsMax = 10_000;
const otherGroups = "\n";

interface Group {
  /** One row in so many is sent. */
  oneIn: number;
  seen: number;
  /** Sent since the rate was last changed. */
  sent: number;
}

/**
 * About so many rows a second of each group. The rate is that which would have fitted the second
 * before, and doubles whenever that many rows were sent: it is set before a row is looked at, so that
 * sums of the weights are right on average (Horvitz and Thompson).
 */
export function groupSampler(
  rowsPerSecond: number,
  by: readonly string[],
  { random, now }: SamplerDeps,
): Sampler {
  let groups = new Map<string, Group>();
  let windowEnd = Number.NEGATIVE_INFINITY;
  const startWindow = (at: number): void => {
    const isNext = at < windowEnd + windowMs;
    const before = isNext ? groups : new Map<string, Group>();
    windowEnd = isNext ? windowEnd + windowMs : at + windowMs;
    groups = new Map();
    for (const [key, { seen }] of before) {
      if (seen === 0) continue;
      const oneIn = Math.max(1, Math.ceil(seen / rowsPerSecond));
      groups.set(key, { oneIn, seen: 0, sent: 0 });
    }
  };
  const groupOf = (key: string): Group => {
    const known = groups.get(key);
    if (known !== undefined) return known;
    const name = groups.size < groupsMax ? key : otherGroups;
    const group = groups.get(name) ?? { oneIn: 1, seen: 0, sent: 0 };
    groups.set(name, group);
    return group;
  };
  return (row) => {
    const at = now();
    if (at >= windowEnd) startWindow(at);
    const group = groupOf(by.map((column) => valueText(row, column) ?? "").join("\u0000"));
    group.seen++;
    if (group.sent >= rowsPerSecond) {
      group.oneIn *= 2;
      group.sent = 0;
    }
    const { oneIn } = group;
    if (random() * oneIn >= 1) return null;
    group.sent++;
    return oneIn;
  };
}
