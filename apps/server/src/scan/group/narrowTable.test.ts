import { describe, expect, test } from "vitest";
import { printAskedKeys } from "../../aggregate/cut/askedKeys.js";
import type { KeyColumn, PartialSide } from "../../aggregate/partial/partialResult.js";
import { atOnce } from "../../base/schedule/steps.js";
import { createColumnReader } from "../../column/readColumn.js";
import { createTextReader } from "../../column/textReader.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { PlainRow, PlainValue } from "../../store/testing/plainRows.js";
import { decodeSide } from "../answer/decodeAnswer.js";
import { answerFollowUp } from "../answer/followUpAnswer.js";
import { QueryMemory } from "../memory/queryMemory.js";
import { ScanRun } from "../run/scanRun.js";
import type { ScanAnswer } from "../task/scanAnswer.js";
import { lowerNow } from "../testing/lowerNow.js";
import { createScanMemory } from "../testing/scanMemory.js";
import { storeRows } from "../testing/storeRows.js";
import { createStringReader } from "../value/stringReader.js";

const { memory, kernel, leaf, scratch } = createScanMemory(512, 200);

const segmentRows = 40_000;

/**
 * Sparse ids of 30 bits, some frequent, every 40th missing; a name; sizes below 0 and above, and
 * how long each took.
 */
function createRows(distinct: number): PlainRow[][] {
  let state = 1;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: 4 }, (_, segment) =>
    Array.from({ length: segmentRows }, (_, i): PlainRow => {
      const time = segment * segmentRows + Math.floor(next() * segmentRows);
      const id = Math.imul(Math.floor(distinct * next() ** 2) + 1, 0x9e3779b1) >> 2;
      const size = BigInt(Math.floor(next() * 2 ** 31)) - 2n ** 30n;
      const values = new Map<string, string | bigint>([
        ["size", size],
        ["took", BigInt(Math.floor(next() ** 8 * 1_000_000) - 5)],
      ]);
      if (i % 40 !== 0) values.set("n", BigInt(id));
      if (i % 7 !== 0) values.set("name", `name ${id & 1}`);
      return { time, values: values as PlainRow["values"] };
    }),
  );
}

const groupBy: ResolvedQuery["groupBy"] = [
  { kind: "column", column: "n", type: "int", decimals: 0 },
  { kind: "column", column: "name", type: "string", decimals: 0 },
];

/** Columns that are added up. */
const summed = ["size", "took", "size"];
const sumCounts = [0, 1, 2, 3];

/** What groups rank by: a sum, by its place, or the rows, -1. */
interface RankedBy {
  readonly sum: number;
  readonly desc: boolean;
}

function queryOf(sumCount: number, max: number, { sum, desc }: RankedBy): ResolvedQuery {
  const filter = {
    kind: "range" as const,
    ...{ column: "size", decimals: 0, low: "-1000000000", high: "900000000", negated: false },
  };
  const sums = summed
    .slice(0, sumCount)
    .map((column) => ({ kind: "sum" as const, column, decimals: 0 }));
  return {
    table: "t",
    // Not the whole of the first segment, and not all rows of any.
    sides: [{ fromMs: 20_000, toMs: 10_000_000, filter, buckets: null }],
    groupBy,
    states: [{ kind: "rows" }, { kind: "weight" }, ...sums],
    sample: null,
    cut: {
      ...{ max, bySeries: false },
      ranks: [{ by: { kind: "state", stateIndex: sum < 0 ? 0 : 2 + sum }, desc }],
    },
  };
}

interface Total {
  readonly count: number;
  readonly sums: readonly bigint[];
}

type Parts = readonly (readonly PlainRow[])[];

/** Queries change nothing of what they read. */
function storeOnce(parts: Parts): ReturnType<typeof storeRows> {
  const views = stored.get(parts) ?? storeRows(parts, { leaf, kernel });
  stored.set(parts, views);
  return views;
}

const stored = new Map<Parts, ReturnType<typeof storeRows>>();

function totalsOf(parts: Parts, sumCount: number): Map<string, Total> {
  const totals = new Map<string, Total>();
  for (const { time, values } of parts.flat()) {
    const size = values.get("size") as bigint;
    if (time < 20_000 || size < -1_000_000_000n || size > 900_000_000n) continue;
    const key = `${String(values.get("n") ?? null)}|${String(values.get("name") ?? null)}`;
    const own = summed.slice(0, sumCount).map((name) => values.get(name) as bigint);
    const { count, sums } = totals.get(key) ?? { count: 0, sums: own.map(() => 0n) };
    totals.set(key, { count: count + 1, sums: sums.map((sum, i) => sum + own[i]!) });
  }
  return totals;
}

function groupsOf({ groupCount, keys, states }: PartialSide): Map<string, Total> {
  const [n, names] = keys as [
    Extract<KeyColumn, { kind: "int" }>,
    Extract<KeyColumn, { kind: "string" }>,
  ];
  const [rows, weights, ...added] = states;
  if (rows?.kind !== "count" || weights?.kind !== "count") throw new Error("rows and weights");
  expect(weights.values).toEqual(rows.values);
  const found = new Map<string, Total>();
  for (let i = 0; i < groupCount; i++) {
    const id = n.present[i] === 1 ? String(n.values[i]) : "null";
    const text = names.codes[i]! < 0 ? "null" : names.dictionary[names.codes[i]!]!;
    const name = `${id}|${text}`;
    // Thrown, not expected: that alone took most of the test's time.
    if (found.has(name)) throw new Error(`${name} is there twice`);
    const sums = added.map((column) => {
      if (column.kind !== "sum") throw new Error("what is added up");
      if (column.weights[i] !== rows.values[i])
        throw new Error(`${name} weighs more than its rows`);
      return BigInt(column.hi[i]!) * 2n ** 32n + BigInt(column.lo[i]!);
    });
    found.set(name, { count: rows.values[i]!, sums });
  }
  return found;
}

function scan(
  parts: Parts,
  sumCount: number,
  max: number,
  by: RankedBy,
  visit: (scanned: {
    readonly answer: ScanAnswer;
    readonly partials: readonly PartialSide[];
    readonly ask: (keys: readonly KeyColumn[], count: number) => PartialSide;
  }) => void,
): void {
  const query = queryOf(sumCount, max, by);
  const views = storeOnce(parts);
  const queryMemory = new QueryMemory(leaf);
  const lowered = lowerNow(1, query, [views], queryMemory);
  expect(lowered.task.sides[0]!.table.kind).toBe(sumCount < 2 ? "narrow" : "parted");
  // With some ten thousand groups their rows are dealt out.
  const isLong = parts.length > 1;
  expect(lowered.task.sides[0]!.dealt !== null).toBe(isLong && sumCount >= 2);
  const run = new ScanRun({ memory, kernel, scratch }, lowered.task);
  const decode = (side: ScanAnswer["sides"][number]) => decodeSide(side, lowered.components[0]!);
  const partials: PartialSide[] = [];
  while (!run.done) {
    run.step();
    if (run.done) break;
    const [side] = run.answer().sides;
    partials.push(decode(side!));
  }
  const answer = run.answer();
  partials.push(decode(answer.sides[0]!));
  const reader = createColumnReader(memory);
  const strings = createStringReader(reader, createTextReader(memory, kernel, scratch.pages));
  const ask = (keys: readonly KeyColumn[], groupCount: number): PartialSide => {
    const only = { groupCount, keys: keys.map((key) => printAskedKeys(key, groupCount)) };
    const kept = { query, lowered, answer, stats: {} as never, memory: queryMemory };
    const context = { memory, kernel, scratch, strings };
    return atOnce(answerFollowUp(kept, only, context)).sides[0]!;
  };
  visit({ answer, partials, ask });
  queryMemory.release();
}

const byRows: RankedBy = { sum: -1, desc: true };

describe.each([
  ["in one table", 6_000],
  ["dealt out", 60_000],
])("groups of keys of 32 bits, %s", (_, distinct) => {
  const parts = createRows(distinct);
  const totals = sumCounts.map((sumCount) => totalsOf(parts, sumCount));

  test.each(sumCounts)("have the rows and sums of all segments: %d", (sumCount) => {
    const expected = totals[sumCount]!;
    scan(parts, sumCount, 1_000_000, byRows, ({ answer, partials }) => {
      expect(groupsOf(partials.at(-1)!)).toEqual(expected);
      expect(answer.sides[0]!.groupsCut).toBe(0);
      // What it had so far is of the rows scanned so far, and no more.
      const rows = partials.map(({ states }) => {
        const [counts] = states;
        return counts?.kind === "count" ? counts.values.reduce((a, b) => a + b, 0) : 0;
      });
      expect(rows).toEqual(rows.toSorted((a, b) => a - b));
      expect(rows.at(-1)).toBe(answer.rowsMatched);
    });
  });

  test.each([
    [0, byRows],
    [0, { sum: -1, desc: false }],
    [1, { sum: 0, desc: true }],
    [2, byRows],
    [2, { sum: 1, desc: true }],
    [3, { sum: 0, desc: false }],
    [3, { sum: 2, desc: true }],
  ])("are cut, and found again by a follow-up: %d sums by %o", (sumCount, by) => {
    const expected = totals[sumCount]!;
    const rankOf = ({ count, sums }: Total): number =>
      Number(by.sum < 0 ? count : sums[by.sum]!) * (by.desc ? 1 : -1);
    scan(parts, sumCount, 100, by, ({ partials, ask }) => {
      const cut = groupsOf(partials.at(-1)!);
      expect(cut.size + partials.at(-1)!.groupsCut).toBe(expected.size);
      for (const [key, total] of cut) expect(total).toEqual(expected.get(key));
      // Whatever ranks before the last of the best hundred is there.
      const best = [...expected].sort(([, a], [, b]) => rankOf(b) - rankOf(a)).slice(0, 100);
      const last = rankOf(best.at(-1)![1]);
      const lost = best.filter(([key, total]) => rankOf(total) > last && !cut.has(key));
      expect(lost).toEqual([]);
      expect(cut.size).toBeGreaterThanOrEqual(100);
      // Once more than are looked for at a time, most of them known.
      const most = sumCount === 3 && by.desc ? distinct : 400;
      const rest = [...expected.keys()].filter((key) => !cut.has(key)).slice(0, most);
      const strange = Array.from({ length: most / 5 }, (_, i) => `${-i}|null`);
      const asked = [...rest, ...strange, "7|null", "null|name 9"].map((key) => key.split("|"));
      const dictionary = asked.map(([, name]) => name!);
      const found = ask(
        [
          {
            kind: "int",
            values: BigInt64Array.from(asked, ([n]) => (n === "null" ? 0n : BigInt(n!))),
            present: Uint8Array.from(asked, ([n]) => (n === "null" ? 0 : 1)),
          },
          {
            kind: "string",
            dictionary,
            codes: Int32Array.from(asked, ([, name], i) => (name === "null" ? -1 : i)),
          },
        ],
        asked.length,
      );
      const wanted = rest.map((key) => [key, expected.get(key)] as const);
      expect(groupsOf(found)).toEqual(new Map(wanted));
    });
  });
});

test.each([300, 500, 1_000, 1_024, 2_000, 4_000])(
  "%d rows of as many groups find room, wherever chance puts them",
  (rowCount) => {
    for (let first = 0; first < 20; first++) {
      const rows = Array.from({ length: rowCount }, (_, i): PlainRow => {
        const id = Math.imul(first * rowCount + i + 1, 0x9e3779b1) >> 2;
        return {
          time: 20_000 + i,
          values: new Map<string, PlainValue>([
            ["n", BigInt(id)],
            ["size", 1n],
            ["took", 1n],
            ["name", "one"],
          ]),
        };
      });
      const parts = [rows];
      for (const sumCount of [0, 2]) {
        scan(parts, sumCount, 1_000_000, byRows, ({ partials }) => {
          expect(partials.at(-1)!.groupCount).toBe(rowCount);
        });
      }
    }
  },
);
