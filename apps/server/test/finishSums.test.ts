import { describe, expect, test } from "vitest";
import {
  type AdditivePart,
  readAdditive,
  readFinish,
} from "../src/function/compile/additiveFunction.js";
import { finishSums, numberTag } from "../src/function/evaluate/finishSums.js";
import { exampleFunctions } from "../src/registry/document/exampleFunctions.js";

type State = Readonly<Record<string, number>>;
interface Aggregate {
  init(): State;
  merge(a: State, b: State): State;
  finalize(s: State): number | null | undefined;
}

const sums = (finalize: string) => `{
  init: () => ({ n: 0, x: 0, y: 0 }),
  update(s, x, y, weight) { s.n += weight; s.x += x * weight; s.y += x * y * weight; },
  merge: (a, b) => ({ n: a.n + b.n, x: a.x + b.x, y: a.y + b.y }),
  ${finalize}
}`;
const sources = [
  ...exampleFunctions
    .filter(({ name }) => ["covariance", "correlation"].includes(name))
    .map(({ source }) => source),
  sums("finalize: (s) => s.x / s.n"),
  sums("finalize: (s) => -s.x"),
  sums("finalize({ n, y }) { if (n > 3) return y % n; return n ? undefined : null; }"),
  sums(
    "finalize(s) { const m = s.x / s.n; return m > 0 && m < 9 ? Math.sqrt(m) : Math.max(m, s.y, 7); }",
  ),
  sums("finalize: (s) => s.n === s.x || !s.y ? Math.floor(s.y) : s.y ?? 3"),
];
const numbers = [0, -0, 1, -1, 3, 0.1, -7.25, 9, 1e16, 2 ** 53 + 2, -1e300, 1e308, Number.NaN];

/** As a leaf prints it. */
function print(state: State): string {
  const entries = Object.entries(state).map(([name, value]) => [
    name,
    Number.isFinite(value) ? value : { [numberTag]: String(value) },
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}

/** What JavaScript itself makes of the states, read back as they travel. */
function finishedByJs(source: string, states: readonly State[]): number | null {
  const own = new Function(`"use strict"; return (${source})`)() as Aggregate;
  const [first, ...rest] = states.length === 0 ? [own.init()] : states.map(travelled);
  const value = own.finalize(rest.reduce((all, next) => own.merge(all, next), first!));
  return typeof value === "number" && Number.isFinite(value) ? value + 0 : null;
}

const travelled = (state: State): State =>
  Object.fromEntries(Object.entries(state).map(([name, value]) => [name, value + 0]));

describe("an additive function is finished without being run", () => {
  test.each(sources.map((source, i) => [i, source] as const))("source %d", (_, source) => {
    const parts = readAdditive(source, 2) as readonly AdditivePart[];
    const finish = readFinish(source, parts);
    if (finish === null) throw new Error("not compiled");
    let seed = 7;
    const pick = (): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return numbers[seed % numbers.length]!;
    };
    const groups = Array.from({ length: 500 }, (_, i) =>
      Array.from({ length: i % 4 }, () =>
        Object.fromEntries(parts.map(({ name }) => [name, pick()])),
      ),
    );
    const found = finishSums(
      groups.map((states) => states.map(print)),
      parts,
      finish,
    );
    expect(found).toEqual(groups.map((states) => finishedByJs(source, states)));
  });

  test.each([
    "finalize: (s) => Math.log2(s.n)",
    "finalize: (s) => s.z",
    'finalize: () => "much"',
    "finalize(s) { s.n = 1; return s.x; }",
  ])("not %s", (finalize) => {
    const source = sums(finalize);
    const parts = readAdditive(source, 2) as readonly AdditivePart[];
    expect(parts).toHaveLength(3);
    expect(readFinish(source, parts)).toBeNull();
  });
});
