import { expect, test } from "vitest";
import type { ResolvedGroup, ResolvedQuery, StateSpec } from "../../plan/query/resolvedQuery.js";
import type { PlainRow, PlainValue } from "../../store/testing/plainRows.js";
import { QueryMemory } from "../memory/queryMemory.js";
import { ScanRun } from "../run/scanRun.js";
import type { ScanAnswer } from "../task/scanAnswer.js";
import { carriedTask } from "../testing/carried.js";
import { lowerNow } from "../testing/lowerNow.js";
import { createScanMemory } from "../testing/scanMemory.js";
import { storeRows } from "../testing/storeRows.js";

const { memory, kernel, leaf, scratch } = createScanMemory(768, 512);

const segmentRows = 40_000;
/** With all states below, far more than a cache. */
const span = 130_000;
/** Scanned so often that a part is full now and then. */
const rounds = 6;

/** An eighth of all rows has one id, and one segment no sample rates. */
function createRows(): PlainRow[][] {
  let state = 11;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: 3 }, (_, segment) =>
    Array.from({ length: segmentRows }, (_, i): PlainRow => {
      const id = i % 8 === 0 ? 5 : Math.floor(span * next() ** 2);
      const values: [string, PlainValue][] = [
        ["id", BigInt(i === 0 ? span : id)],
        ["half", BigInt(i === 0 ? 30_000 : id % 30_000)],
        ["flag", BigInt(id % 3)],
        ["sparse", BigInt(Math.imul(id, 0x9e3779b1) >>> 3)],
        // In every segment another base; u32 beyond the least of all.
        ["size", BigInt(Math.floor(next() * (2 ** 32 - 1000)) + segment * 300)],
        ["change", BigInt(Math.floor(next() * 1000) - 500)],
        ["far", BigInt(Math.floor(next() * 2 ** 40))],
      ];
      if (i % 40 !== 1) values.push(["partly", BigInt(id)]);
      if (segment > 0) values.push(["sample_rate", BigInt(1 + (i % 3))]);
      return {
        time: segment * segmentRows + Math.floor(next() * segmentRows),
        values: new Map(values),
      };
    }),
  );
}

const parts = createRows();

/** The same rows without their sample rates. */
const unsampled = parts.map((rows) =>
  rows.map(({ time, values }) => {
    return { time, values: new Map([...values].filter(([name]) => name !== "sample_rate")) };
  }),
);

const views = {
  plain: storeRows(unsampled, { leaf, kernel }),
  sampled: storeRows(parts, { leaf, kernel }),
};

const fromMs = 5_000;
const all = { kind: "all", filters: [] } as const;
const most = {
  kind: "range",
  column: "change",
  decimals: 0,
  low: "-480",
  high: "499",
  negated: false,
} as const;

const byColumns = (...names: string[]): ResolvedGroup[] =>
  names.map((column) =>
    column === "time" ? { kind: "time" } : { kind: "column", column, type: "int", decimals: 0 },
  );

/** Buckets of time, where they are grouped by. */
const edgesMs = [fromMs, 30_000, 90_000, 10_000_000];

const of = (kind: "sum" | "min" | "max" | "squares", column: string): StateSpec => ({
  kind,
  column,
  decimals: 0,
});

const spread = (column: string | null): StateSpec => ({
  kind: "spread",
  column,
  values: column !== null,
  decimals: 0,
});

const everyState: readonly StateSpec[] = [
  ...[{ kind: "rows" } as const, { kind: "weight" } as const, spread(null)],
  ...[of("sum", "size"), of("sum", "change"), of("min", "change"), of("max", "size")],
  ...[of("squares", "change"), spread("size")],
];

function queryOf(
  groupBy: readonly ResolvedGroup[],
  filter: typeof all | typeof most,
  states = everyState,
): ResolvedQuery {
  return {
    ...{ table: "t", groupBy, states, sample: null },
    sides: [{ fromMs, toMs: 10_000_000, filter, buckets: { kind: "edges", edgesMs } }],
    cut: {
      max: 1_000_000,
      bySeries: false,
      ranks: [{ by: { kind: "state", stateIndex: 0 }, desc: true }],
    },
  };
}

/** What other queries left in the memory of the next one. */
function dirtyPool(): void {
  const bytes = 100 << 20;
  const address = leaf.queries.allocate(bytes)!;
  leaf.bytes.fill(0x5a, address, address + bytes);
  leaf.queries.release(address);
}

interface Asking {
  /** "short": without memory for what is not needed, so that no rows are dealt out. */
  readonly memory: "ample" | "short";
  /** "while it runs": after every seventh step too. */
  readonly asked: "while it runs" | "at the end";
}

function answersOf(query: ResolvedQuery, kind: keyof typeof views, asking: Asking) {
  dirtyPool();
  const queryMemory = new QueryMemory(leaf);
  if (asking.memory === "short") queryMemory.startAgain("short");
  const segments = Array.from({ length: rounds }, () => views[kind]).flat();
  const { task } = lowerNow(1, query, [segments], queryMemory);
  const run = new ScanRun({ memory, kernel, scratch }, carriedTask(task));
  const answers: ScanAnswer[] = [];
  for (let step = 1; !run.done; step++) {
    run.step();
    if (asking.asked === "while it runs" && step % 7 === 0) answers.push(run.answer());
  }
  answers.push(run.answer());
  const { rowsMatched } = answers.at(-1)!;
  queryMemory.release();
  const [{ dealt }] = [task.sides[0]!];
  return { dealt, answers: answers.map(({ sides }) => sides[0]!), rows: rowsMatched };
}

type Side = ScanAnswer["sides"][number];

/**
 * Every column of the answer, in the order of the keys: dealt out, these may get their ids in
 * another.
 */
function sortedColumns({ keys, states, groupCount }: Side): Map<string, Uint8Array> {
  const arraysOf = (column: object): (Float64Array | BigInt64Array)[] =>
    Object.values(column).filter((values) => ArrayBuffer.isView(values)) as Float64Array[];
  const names = keys.flatMap(arraysOf);
  const order = Array.from({ length: groupCount }, (_, i) => i).sort((a, b) => {
    const apart = names.find((values) => values[a] !== values[b]);
    return apart === undefined ? 0 : apart[a]! < apart[b]! ? -1 : 1;
  });
  const columns = [...names, ...states.flatMap(arraysOf)].map((values, index) => {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    const width = bytes.length / groupCount;
    const sorted = new Uint8Array(bytes.length);
    for (const [k, i] of order.entries()) {
      for (let at = 0; at < width; at++) sorted[k * width + at] = bytes[i * width + at]!;
    }
    return [`column ${index}`, sorted] as const;
  });
  return new Map(columns);
}

/** The columns that differ. */
function differences(found: Side, expected: Side): string[] {
  const others = sortedColumns(expected);
  return [...sortedColumns(found)]
    .filter(([name, bytes]) => Buffer.compare(bytes, others.get(name)!) !== 0)
    .map(([name]) => name);
}

/** What differs in each answer, once rows were dealt out and once added one by one. */
function dealtDifferences(
  query: ResolvedQuery,
  kind: keyof typeof views,
  asked: Asking["asked"],
): string[][] {
  const dealt = answersOf(query, kind, { memory: "ample", asked });
  const plain = answersOf(query, kind, { memory: "short", asked });
  expect([dealt.dealt === null, plain.dealt === null]).toEqual([false, true]);
  expect(dealt.rows).toBe(plain.rows);
  return dealt.answers.map((side, i) => differences(side, plain.answers[i]!));
}

test.each([
  ["plain", "every", ["id"]],
  ["plain", "most", ["id"]],
  ["plain", "every", ["partly"]],
  ["plain", "most", ["flag", "half"]],
  ["plain", "every", ["sparse"]],
  ["plain", "most", ["flag", "sparse"]],
  ["sampled", "every", ["id"]],
  ["sampled", "most", ["partly"]],
  ["sampled", "most", ["sparse"]],
  ["plain", "every", ["time", "sparse"]],
] as const)(
  "groups have the same of rows that were dealt out as of rows added one by one: %s, %s row, by %s",
  (kind, filter, names) => {
    const query = queryOf(byColumns(...names), filter === "every" ? all : most);
    expect(dealtDifferences(query, kind, "while it runs")).toEqual([[], [], []]);
  },
);

test("groups that are asked for once, at the end, have the same of dealt rows too", () => {
  const query = queryOf(byColumns("flag", "half"), most);
  expect(dealtDifferences(query, "plain", "at the end")).toEqual([[]]);
});

test("rows that were dealt out are counted and added up", () => {
  const { answers } = answersOf(queryOf(byColumns("id"), all), "plain", {
    memory: "ample",
    asked: "at the end",
  });
  const [{ keys, states, groupCount }] = answers as [ScanAnswer["sides"][number]];
  const [key] = keys;
  const [rows, , , size, change, least] = states;
  if (key?.kind !== "int" || rows?.kind !== "count" || size?.kind !== "sum") throw new Error("ids");
  if (change?.kind !== "sum" || least?.kind !== "extreme") throw new Error("changes");
  const expected = new Map<bigint, [number, bigint, bigint, bigint]>();
  for (const { time, values } of parts.flat()) {
    if (time < fromMs) continue;
    const [id, bytes, by] = ["id", "size", "change"].map((name) => values.get(name) as bigint);
    const total = expected.get(id!) ?? [0, 0n, 0n, 1000n];
    expected.set(id!, [
      total[0] + rounds,
      total[1] + bytes! * BigInt(rounds),
      total[2] + by! * BigInt(rounds),
      by! < total[3] ? by! : total[3],
    ]);
  }
  const sumAt = ({ hi, lo }: typeof size, i: number) => BigInt(hi[i]!) * 2n ** 32n + BigInt(lo[i]!);
  const wrong = Array.from({ length: groupCount }, (_, i) => {
    const found = [rows.values[i]!, sumAt(size, i), sumAt(change, i), least.values[i]!];
    return [`${found}`, `${expected.get(key.values[i]!)}`];
  }).filter(([found, wanted]) => found !== wanted);
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(groupCount).toBe(expected.size);
});

test("weights alone are dealt out, rows alone are not", () => {
  const states: readonly StateSpec[] = [{ kind: "rows" }, { kind: "weight" }, spread(null)];
  const query = queryOf(byColumns("sparse"), most, states);
  const differing = dealtDifferences(query, "sampled", "while it runs");
  expect(differing).toEqual(differing.map(() => []));
  const unweighted = answersOf(query, "plain", { memory: "ample", asked: "at the end" });
  expect(unweighted.dealt).toBe(null);
});

test("rows are dealt out only where no column has a missing value and all values less the smallest fit a u32", () => {
  const isDealt = (states: readonly StateSpec[]): boolean => {
    const query = queryOf(byColumns("id"), all, [...everyState, ...states]);
    const queryMemory = new QueryMemory(leaf);
    const segments = Array.from({ length: rounds }, () => views.plain).flat();
    const { task } = lowerNow(1, query, [segments], queryMemory);
    queryMemory.release();
    return task.sides[0]!.dealt !== null;
  };
  expect(isDealt([])).toBe(true);
  expect(isDealt([of("max", "far")])).toBe(false);
  expect(isDealt([of("max", "partly")])).toBe(false);
  expect(isDealt([{ kind: "max", column: "change", decimals: 1 }])).toBe(false);
  expect(isDealt([{ kind: "present", column: "change", weighted: true }])).toBe(false);
});
