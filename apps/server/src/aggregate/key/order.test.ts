import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeStrings } from "../../base/bytes/stringList.js";
import { stringKeysOf } from "../partial/stringKeys.js";
import { keyColumnOrder, ordinalsOfKeys, ordinalsOfValues } from "./keyOrdinals.js";
import { bestFirst, bestOf, firstSteps } from "./order.js";

test("missing comes last when ascending and first when descending", () => {
  const ordinals = ordinalsOfValues([2, null, 1]);
  expect([...bestFirst(3, [{ ordinals, desc: false }], 3)]).toEqual([2, 0, 1]);
  expect([...bestFirst(3, [{ ordinals, desc: true }], 3)]).toEqual([1, 0, 2]);
});

test("strings order by code point, entries of a dictionary may repeat", () => {
  const dictionary = ["\u{10000}", "\uffff", "a", "a", ""];
  const key = { kind: "string" as const, dictionary, codes: Int32Array.of(0, 1, 2, 3, 4, -1) };
  const ordinals = ordinalsOfKeys(key);
  expect(ordinals[2]).toBe(ordinals[3]);
  expect([...bestFirst(6, [{ ordinals, desc: false }], 6)]).toEqual([4, 2, 3, 1, 0, 5]);
});

test("integers that a double cannot tell apart keep their order", () => {
  const numbers = [2n ** 53n + 1n, 2n ** 53n, -(2n ** 63n), 5n, 0n];
  const key = {
    kind: "int" as const,
    values: BigInt64Array.from(numbers),
    present: Uint8Array.of(1, 1, 1, 1, 0),
  };
  expect([...bestFirst(5, [{ ordinals: ordinalsOfKeys(key), desc: false }], 5)]).toEqual([
    2, 3, 1, 0, 4,
  ]);
  const mixed = ordinalsOfValues([5, 2n ** 60n, null, 5n]);
  expect(mixed[0]).toBe(mixed[3]);
  expect(mixed[1]).toBeGreaterThan(mixed[0]!);
});

test.each([
  ["many", 5],
  ["few", 10_000],
])("the best few are the first of all, ties in their order: %s ties", (_, most) => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(most), fc.option(fc.nat(3))), { maxLength: 200 }),
      fc.nat(30),
      fc.boolean(),
      fc.constantFrom(1, -1, 0.25, -0.1, 2 ** 37, 2 ** 50),
      (numbers, limit, desc, unit) => {
        const rows = numbers.map(([a, b]) => [a * unit, b] as const);
        const columns = [
          { ordinals: ordinalsOfValues(rows.map(([a]) => a)), desc },
          { ordinals: ordinalsOfValues(rows.map(([, b]) => b)), desc: !desc },
        ];
        const all = [...bestFirst(rows.length, columns, rows.length)];
        expect([...bestFirst(rows.length, columns, limit)]).toEqual(all.slice(0, limit));
        const best = all.slice(0, limit).sort((x, y) => x - y);
        expect([...bestOf(rows.length, columns, limit)]).toEqual(best);
        const sorted = rows.map((_, i) => i);
        const sign = desc ? -1 : 1;
        const rank = (b: number | null) => b ?? Number.MAX_VALUE;
        sorted.sort(
          (x, y) =>
            sign * (rows[x]![0] - rows[y]![0]) ||
            -sign * (rank(rows[x]![1]) - rank(rows[y]![1])) ||
            x - y,
        );
        expect(all).toEqual(sorted);
      },
    ),
  );
});

test("strings compared as they are, then by their ranks, order as by their ranks alone", () => {
  const text = fc.oneof(
    fc.string({ maxLength: 2 }),
    fc.constantFrom("\u{10000}", "\uffff", "\ud7ff", "a", "b"),
  );
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(8), { maxLength: 300 }),
      fc.nat(40),
      fc.boolean(),
      (dictionary, picks, limit, desc) => {
        const codes = Int32Array.from(picks, (pick) => (pick < dictionary.length ? pick : -1));
        const key = { kind: "string" as const, dictionary, codes };
        const byRank = { ordinals: ordinalsOfKeys(key), desc };
        const tie = { ordinals: new Float64Array(codes.length), desc: false };
        const expected = [...bestFirst(codes.length, [byRank], limit)];
        expect([...bestFirst(codes.length, [keyColumnOrder(key, { desc })], limit)]).toEqual(
          expected,
        );
        expect([...bestFirst(codes.length, [tie, keyColumnOrder(key, { desc })], limit)]).toEqual(
          expected,
        );
      },
    ),
  );
});

test.each([true, false])(
  "many strings that tie but for themselves are ranked in steps (bytes: %s)",
  (asBytes) => {
    const size = 30_000;
    const texts = Array.from(
      { length: size },
      (_, i) => `${(i * 7_919) % size}${i % 7 ? "" : "ä"}`,
    );
    const codes = Int32Array.from({ length: size }, (_, i) => (i % 5_000 === 0 ? -1 : i));
    const key = asBytes
      ? stringKeysOf(encodeStrings(texts), codes)
      : { kind: "string" as const, dictionary: texts, codes };
    const columns = [
      { ordinals: new Float64Array(size).fill(3), desc: true },
      keyColumnOrder(key, { desc: false }),
    ];
    let steps = 0;
    const sorting = firstSteps(size, columns, size);
    let step = sorting.next();
    for (; step.done !== true; step = sorting.next()) steps++;
    const order = step.value;
    expect(steps).toBeGreaterThan(60);
    const textAt = (i: number): string | null => (codes[i]! < 0 ? null : texts[codes[i]!]!);
    for (let i = 1; i < size; i++) {
      const [before, after] = [textAt(order[i - 1]!), textAt(order[i]!)];
      if (after === null) expect(before === null ? order[i - 1]! < order[i]! : true).toBe(true);
      else expect(before !== null && before < after).toBe(true);
    }
  },
);
