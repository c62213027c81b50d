import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { oracleSeed } from "../../../test/oracle/seed/seed.js";
import type { OracleRow } from "../../../test/oracle/table/oracleTable.js";
import type { AskedGroups } from "../../plan/query/resolvedQuery.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import { createTableSchema } from "../../plan/schema/tableSchema.js";
import { finalizeResult } from "../finish/finalizeResult.js";
import { resolveQuery } from "../function/resolveQuery.js";
import { mergePartials } from "../merge/mergePartials.js";
import { decodePartialResult, encodePartialResult } from "../merge/partialCodec.js";
import type { PartialResult } from "../partial/partialResult.js";
import { partialOfRows } from "../testing/partialOfRows.js";
import {
  type AnswerPart,
  groupsToAskAgain,
  joinDecided,
  joinParts,
  type SecondQuestion,
} from "./askedGroups.js";
import { cutGroups } from "./cutGroups.js";
import { type DecidedParts, decideParts } from "./decidedParts.js";

const table = createTableSchema("requests", [
  { name: "user", type: "int", decimals: 0 },
  { name: "bytes", type: "int", decimals: 0 },
]);

type LeafRow = OracleRow & { readonly leaf: number };

/** A few users have most rows, many have one or two: more of these than a leaf sends. */
function skewedRows(seed: number, leafCount: number, smallest: number): LeafRow[] {
  let state = seed | 1;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
  return Array.from({ length: 2_000 }, (_, i) => {
    const isCommon = random() < 0.5;
    const user = isCommon ? Math.floor(random() * 4) : 4 + Math.floor(random() * 600);
    const bytes = isCommon ? 50 + Math.floor(random() * 9) : smallest + Math.floor(random() * 9);
    const values = new Map<string, bigint>([["user", BigInt(user)]]);
    if (i % 50 !== 0 || !isCommon) values.set("bytes", BigInt(bytes));
    const timeMs = Math.floor(random() * 300_000);
    return { leaf: Math.floor(random() * leafCount), timeMs, values };
  });
}

/** Each user has nearly all rows on one leaf and a few on others, so that no shown user is complete after the first answers. */
const onOneLeafEach = (seed: number, leafCount: number): LeafRow[] =>
  skewedRows(seed, leafCount, 10).map((row, i) =>
    i % 20 === 0 ? row : { ...row, leaf: Number(row.values.get("user")) % leafCount },
  );

/** As batches are placed: of each step of time nearly all rows are on one leaf. */
const inTurn = (seed: number, leafCount: number): LeafRow[] =>
  skewedRows(seed, leafCount, 10).map((row, i) =>
    i % 40 === 0 ? row : { ...row, leaf: Math.floor(row.timeMs / 25_000) % leafCount },
  );

const split = (query: object): SplitQuery =>
  resolveQuery({ table: "requests", from: 0, to: 300_000, groupBy: ["user"], ...query }, table, 0);

/** As they come from the leaves. */
const partsOf = (
  rows: readonly LeafRow[],
  leafCount: number,
  { resolved }: SplitQuery,
  grows = false,
) =>
  Array.from({ length: leafCount }, (_, leaf) => {
    const own = rows.filter((one) => one.leaf === leaf);
    const cut = { ...cutGroups(partialOfRows(own, resolved), resolved), grows };
    const partial = decodePartialResult(encodePartialResult(cut, resolved), resolved);
    return { partId: `${leaf}`, partial, done: true };
  });

/** Rows of one user. */
const rowsOf = (leaf: number, user: number, rowCount: number, bytes: bigint): LeafRow[] =>
  Array.from({ length: rowCount }, () => ({
    ...{ leaf, timeMs: 5 },
    values: new Map([
      ["user", BigInt(user)],
      ["bytes", bytes],
    ]),
  }));

/** Without what it has cut of which time. */
const withoutRanks = (part: AnswerPart): AnswerPart => {
  const sides = part.partial.sides.map(({ cutRanks: _, ...side }) => side);
  return { ...part, partial: { ...part.partial, sides } };
};

/** The parts where nothing has to be asked for. */
const decidedParts = (parts: readonly AnswerPart[], asked: SplitQuery) => {
  const decided = decideParts(parts, asked);
  return decided?.question === null ? decided.parts : null;
};

const count = { fn: "count" } as const;
const sum = { fn: "sum", column: "bytes" } as const;

describe("parts that decide what is shown", () => {
  test.each([
    ["by count", { aggregates: [count, sum], limit: 3 }, 0],
    ["by sum", { aggregates: [sum], limit: 3 }, 0],
    ["by sums below zero too", { aggregates: [sum], limit: 4 }, -30],
    [
      "points",
      {
        groupBy: [{ time: "150s" }, "user"],
        aggregates: [count],
        orderBy: [{ by: "count", desc: true }],
        limit: 6,
      },
      0,
    ],
    ["series", { groupBy: [{ time: "1m" }, "user"], aggregates: [count], series: 3 }, 0],
  ])("show the rows that all rows in one place show: %s", (_, query, smallest) => {
    let decided = 0;
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 2, max: 4 }), (seed, leafCount) => {
        const asked = split(query);
        const rows = skewedRows(seed, leafCount, smallest);
        const first = partsOf(rows, leafCount, asked);
        const parts = decidedParts(first, asked);
        if (parts === null) return;
        decided++;
        const shown = finalizeResult(mergePartials(parts, asked.resolved), asked);
        const whole = finalizeResult(partialOfRows(rows, asked.resolved), asked);
        expect(shown.rows).toEqual(whole.rows);
        const left = (result: typeof shown) => {
          const { groups = 0, series = 0 } = result.truncated ?? {};
          return groups + series;
        };
        expect(left(shown)).toBeGreaterThan(0);
        expect(left(shown)).toBeLessThanOrEqual(left(whole));
      }),
      { numRuns: 120 },
    );
    expect(decided).toBeGreaterThan(20);
  });

  test.each([
    ["by sum", { aggregates: [sum], limit: 12 }, false, 10],
    ["by a sum that only grows", { aggregates: [sum], limit: 12 }, true, 10],
    ["more groups than any leaf has whole", { aggregates: [count], limit: 50 }, false, 10],
    ["series", { groupBy: [{ time: "1m" }, "user"], aggregates: [count], series: 12 }, false, 10],
    [
      "series by a sum that only grows",
      { groupBy: [{ time: "1m" }, "user"], aggregates: [sum], series: 12 },
      true,
      2,
    ],
  ])("name what else has to be asked for, and nothing more: %s", (_, query, grows, openMin) => {
    let open = 0;
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 2, max: 4 }), (seed, leafCount) => {
        const asked = split(query);
        const { resolved } = asked;
        const rows = grows ? onOneLeafEach(seed, leafCount) : skewedRows(seed, leafCount, 40);
        const first = partsOf(rows, leafCount, asked, grows);
        const decided = decideParts(first, asked);
        const all = groupsToAskAgain(first, resolved);
        if (decided === null || decided.question === null || all === null) return;
        open++;
        const { question, parts } = decided;
        const answer = (partId: string, only: AskedGroups) =>
          cutGroups(
            partialOfRows(
              rows.filter(({ leaf }) => `${leaf}` === partId),
              resolved,
            ),
            { ...resolved, only },
          );
        const completed = first.flatMap(({ partId }, i) =>
          joinDecided(parts[i]!, answer(partId, question.of(partId))),
        );
        const everything = first.flatMap(({ partId, partial }) =>
          joinParts(partial, answer(partId, all.of(partId)), resolved),
        );
        const shownOf = (joined: readonly PartialResult[]) =>
          finalizeResult(mergePartials(joined, resolved), asked);
        expect(shownOf(completed).rows).toEqual(shownOf(everything).rows);
        const countOf = (one: SecondQuestion) =>
          first.reduce((total, { partId }) => total + one.of(partId).groupCount, 0);
        expect(countOf(question)).toBeLessThanOrEqual(countOf(all));
      }),
      // How many are open is the same in every run.
      { numRuns: 120, seed: oracleSeed() },
    );
    expect(open).toBeGreaterThan(openMin);
  });

  test("ask no leaf for what it surely has nothing of: groups of times whose rows are elsewhere", () => {
    const asked = split({
      ...{ groupBy: [{ time: "10s" }, "user"], aggregates: [count, sum], limit: 40 },
      orderBy: [{ by: "count", desc: true }],
    });
    const { resolved } = asked;
    let [open, fewer] = [0, 0];
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 2, max: 4 }), (seed, leafCount) => {
        const rows = inTurn(seed, leafCount);
        const first = partsOf(rows, leafCount, asked);
        for (const { partial } of first) expect(partial.sides[0]!.cutRanks).toBeDefined();
        const decided = decideParts(first, asked);
        if (decided === null) return;
        open++;
        const unranked = first.map(withoutRanks);
        const askedOf = (one: SecondQuestion | null | undefined) =>
          first.reduce((total, { partId }) => total + (one?.of(partId).groupCount ?? 0), 0);
        const [ranked, all] = [
          askedOf(decided.question),
          askedOf(decideParts(unranked, asked)?.question),
        ];
        expect(ranked).toBeLessThanOrEqual(all);
        if (ranked < all) fewer++;
        const shownOf = (decided: DecidedParts) => {
          const completed = first.flatMap(({ partId }, i) => {
            const only = decided.question?.of(partId);
            if (only === undefined) return [decided.parts[i]!];
            const own = rows.filter(({ leaf }) => `${leaf}` === partId);
            const found = cutGroups(partialOfRows(own, resolved), { ...resolved, only });
            return joinDecided(decided.parts[i]!, found);
          });
          return finalizeResult(mergePartials(completed, resolved), asked).rows;
        };
        const whole = finalizeResult(partialOfRows(rows, resolved), asked).rows;
        expect(shownOf(decided)).toEqual(whole);
        // One leaf does not report what it cut by bucket.
        const mixed = decideParts([unranked[0]!, ...first.slice(1)], asked);
        if (mixed !== null) expect(shownOf(mixed)).toEqual(whole);
      }),
      { numRuns: 60 },
    );
    expect(open).toBeGreaterThan(40);
    expect(fewer).toBeGreaterThan(40);
  });

  test.each([
    ["an average", { aggregates: [{ fn: "avg", column: "bytes" }], limit: 3 }],
    ["the smallest first", { aggregates: [count], orderBy: [{ by: "count" }], limit: 3 }],
    ["keys", { aggregates: [count], orderBy: [{ by: "user" }], limit: 3 }],
    ["a comparison", { aggregates: [count], compare: { offset: "1m" }, limit: 3 }],
    ["more groups than are whole", { aggregates: [count], limit: 100 }],
  ])("are not those of %s", (_, query) => {
    const asked = split(query);
    expect(decidedParts(partsOf(skewedRows(7, 3, 0), 3, asked), asked)).toBeNull();
  });

  test("end the query for a sum that overflows in a group that is not shown", () => {
    const asked = split({ aggregates: [count, sum], limit: 3 });
    const big = 2n ** 62n;
    // Six rows of a user who is not shown: three on each leaf.
    const rows = skewedRows(7, 2, 0).concat(
      [0, 0, 0, 1, 1, 1].map((leaf) => ({
        ...{ leaf, timeMs: 5 },
        values: new Map([
          ["user", 4n],
          ["bytes", big / 2n],
        ]),
      })),
    );
    const parts = decidedParts(partsOf(rows, 2, asked), asked);
    expect(parts).not.toBeNull();
    expect(() => finalizeResult(mergePartials(parts!, asked.resolved), asked)).toThrow(
      "The sum of bytes does not fit 64 bits",
    );
  });

  test("are asked for again where a sum could overflow for the part alone that was sent", () => {
    const asked = split({ aggregates: [count, sum], limit: 1 });
    const big = 2n ** 62n;
    const rows = [0, 1].flatMap((leaf) =>
      [
        ...rowsOf(leaf, 1, 100, 1n),
        ...rowsOf(leaf, 2, 4, leaf === 0 ? big : -big),
        ...Array.from({ length: 110 }, (_, i) =>
          rowsOf(leaf, 1_000 * (leaf + 1) + i, 1 + 4 * leaf, 1n),
        ),
      ].flat(),
    );
    const parts = partsOf(rows, 2, asked);
    const decided = decideParts(parts, asked);
    expect(decided?.question?.of("1").groupCount).toBe(1);
    expect(decided?.question?.of("0").groupCount).toBe(0);
  });

  test("are refused where it is not said of every time what was cut", () => {
    const asked = split({
      ...{ groupBy: [{ time: "10s" }, "user"], aggregates: [count], limit: 40 },
      orderBy: [{ by: "count", desc: true }],
    });
    const { partial } = partsOf(inTurn(7, 2), 2, asked)[0]!;
    const [side] = partial.sides;
    const short = { ...side!, cutRanks: side!.cutRanks!.slice(1) };
    const bytes = encodePartialResult({ ...partial, sides: [short] }, asked.resolved);
    expect(() => decodePartialResult(bytes, asked.resolved)).toThrow("cut ranks");
  });

  test("are asked for again where only a leaf that cut nothing has sent the group", () => {
    const asked = split({ aggregates: [count], limit: 1 });
    const rows = [
      ...rowsOf(0, 1, 50, 1n),
      ...Array.from({ length: 110 }, (_, i) => rowsOf(0, 100 + i, 30, 1n)).flat(),
      // The first leaf cuts it off; together they are the most.
      ...[...rowsOf(0, 2, 29, 1n), ...rowsOf(1, 2, 25, 1n)],
    ];
    const decided = decideParts(partsOf(rows, 2, asked), asked);
    expect(decided?.question?.of("0").groupCount).toBe(1);
  });

  test("are not those of a leaf that is not done", () => {
    const asked = split({ aggregates: [count], limit: 3 });
    const [first, ...others] = partsOf(skewedRows(7, 2, 0), 2, asked);
    expect(decidedParts([first!, ...others], asked)).not.toBeNull();
    expect(decidedParts([{ ...first!, done: false }, ...others], asked)).toBeNull();
  });

  test("are not those that a group may outrank which no leaf has sent", () => {
    const asked = split({ aggregates: [sum], limit: 3 });
    const row = (leaf: number, user: number, bytes: bigint): LeafRow => ({
      leaf,
      timeMs: user,
      values: new Map([
        ["user", BigInt(user)],
        ["bytes", bytes],
      ]),
    });
    const both = Array.from({ length: 100 }, (_, user) => [row(0, user, -4n), row(1, user, -5n)]);
    // The first leaf cuts it off, and it is the largest of all.
    const rows = [...both.flat(), row(0, 100, -5n)];
    expect(decidedParts(partsOf(rows, 2, asked), asked)).toBeNull();
  });

  test("are not those of groups without any value, which rank above all", () => {
    const asked = split({ aggregates: [sum], limit: 3 });
    const rows = skewedRows(7, 2, 0).map((row) =>
      row.values.get("user") === 5n ? { ...row, values: new Map([["user", 5n]]) } : row,
    );
    expect(decidedParts(partsOf(rows, 2, asked), asked)).toBeNull();
  });
});
