import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HadalError, type Query, type Result } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { oracleSeed, queriesPerTable, testMsFor } from "./seed/seed.js";
import { createSeededRandom } from "./seed/seededRandom.js";
import { type MixedRow, mixedRows, rowAsJson, shuffledBodies } from "./table/mixedValues.js";

const seed = oracleSeed();
const roundCount = queriesPerTable(2);
const rowCount = 40;
const count = { fn: "count" } as const;

/** The same rows: in one batch, and in any order and batching, on one leaf and on four. */
interface Copy {
  readonly cluster: () => Cluster;
  readonly table: string;
}

let folder = "";
let one: Cluster;
let four: Cluster;
const environment = { HADAL_SEAL_AFTER: "1" };
const start = async (): Promise<void> => {
  [one, four] = await Promise.all([
    startCluster({ leaves: 1, dataDir: join(folder, "one"), environment }),
    startCluster({ leaves: 4, dataDir: join(folder, "four"), environment }),
  ]);
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-mixed-"));
  await start();
}, 60_000);
afterAll(async () => {
  await Promise.all([one?.stop(), four?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** What a client is asked about the column. */
type Ask = (cluster: Cluster, table: string, range: TimeRange) => Promise<unknown>;

const print = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === "bigint" ? `${part}n` : part));

const cellsOf = ({ rows, columns }: Result): unknown =>
  rows
    .map(print)
    .sort()
    .concat(columns.map(({ name, type }) => `${name} ${type}`));

const query =
  (asked: Partial<Query>): Ask =>
  async ({ client }, table, range) =>
    cellsOf(await client.query({ table, ...range, exact: true, timeoutMs: 20_000, ...asked }));

const filtered = (op: string, value?: unknown): Ask =>
  query({
    filter: [{ column: "v", op, ...(value === undefined ? {} : { value }) }] as never,
    aggregates: [count],
  });

const questions: Readonly<Record<string, Ask>> = {
  "raw rows": query({ sampleView: { columns: ["v"] } }),
  groups: query({ groupBy: ["v"], aggregates: [count], limit: 1_000 }),
  elements: query({ groupBy: [{ element: "v" }], aggregates: [count], limit: 1_000 }),
  distinct: query({ aggregates: [{ fn: "distinct", column: "v" }] }),
  average: query({ aggregates: [{ fn: "avg", column: "v" }, count] }),
  largest: query({ aggregates: [{ fn: "max", column: "v" }] }),
  median: query({ aggregates: [{ fn: "percentile", column: "v", p: 50 }] }),
  "v > 5": filtered(">", 5),
  "v <= 0.5": filtered("<=", 0.5),
  "v = 5": filtered("=", 5),
  'v = "NaN"': filtered("=", "NaN"),
  "v in": filtered("in", [5, "1763632800123456789"]),
  "v ~ ^[0-9]": filtered("~", "^[0-9]"),
  "v includes any": filtered("includes any", ["5", "a"]),
  "v is missing": filtered("is missing"),
  "not v > 5": query({
    filter: [{ not: { column: "v", op: ">", value: 5 } }],
    aggregates: [count],
  }),
  expression: query({
    derive: [
      {
        as: "d",
        expression: { fn: "coalesce", args: [{ column: "v" }, { column: "v" }] },
      } as never,
    ],
    groupBy: ["d"],
    aggregates: [count],
    limit: 1_000,
  }),
  "a function": query({
    derive: [{ as: "d", js: "(row) => row.v" }],
    groupBy: ["d"],
    aggregates: [count],
    limit: 1_000,
  }),
  facets: async ({ client }, table, range) => {
    const { columns, rows } = await client.facets({ table, ...range });
    const found = columns.map(({ values, ...column }) => ({
      ...column,
      values: values?.map(print).sort(),
    }));
    return { rows, columns: found.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  },
  "what changed": async ({ client }, table, range) => {
    const selection = { filter: [{ column: "side", op: "=", value: "a" }] };
    const asked = { table, ...range, selection, against: "rest" };
    const { a, b, columns } = await client.whatChanged(asked as never);
    return { a, b, columns };
  },
  values: async ({ client }, table, range) => {
    const [from, to] = [range.from, range.to].map((ms) => new Date(ms).toISOString());
    const found = await client.values(table, "v", { from, to, limit: 1_000 } as never);
    return found.map(print).sort();
  },
};

async function outcomeOf(ask: Ask, { cluster, table }: Copy, range: TimeRange): Promise<unknown> {
  try {
    const found = await ask(cluster(), table, range);
    return JSON.parse(print(found));
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return { refused: error.code, detail: error.message.replaceAll(table, "t") };
  }
}

async function send(copy: Copy, bodies: readonly string[]): Promise<void> {
  for (const body of bodies) {
    const options = { contentType: "application/x-ndjson", timeUnit: "ms" } as const;
    const reply = await copy.cluster().client.ingestBody(copy.table, `${body}\n`, options);
    expect(reply.rejected, JSON.stringify(reply.problems)).toBe(0);
  }
}

interface Round {
  readonly seed: number;
  readonly rows: readonly MixedRow[];
  readonly copies: readonly Copy[];
  readonly ranges: readonly TimeRange[];
  /** By range and question. */
  readonly outcomes: Map<string, unknown>;
}

async function load(round: number): Promise<Round> {
  const own = seed * 1_000 + round;
  const random = createSeededRandom(own);
  const rows = mixedRows(own, rowCount);
  const copies = [
    { cluster: () => one, table: `whole_${round}` },
    { cluster: () => one, table: `parts_${round}` },
    { cluster: () => four, table: `parts_${round}` },
  ];
  await send(copies[0]!, [rows.map(rowAsJson).join("\n")]);
  for (const copy of copies.slice(1)) await send(copy, shuffledBodies(rows, random));
  const end = 1_000 + rowCount * 10;
  const part = (): TimeRange => {
    const from = 1_000 + random.int(0, rowCount - 1) * 10;
    return { from, to: from + random.int(1, 12) * 10 };
  };
  return {
    seed: own,
    rows,
    copies,
    ranges: [{ from: 0, to: end }, part(), part(), part()],
    outcomes: new Map(),
  };
}

/** Asks everything of all copies: the same must come of it, now as before. */
async function compare(round: Round, when: string): Promise<void> {
  const [whole, ...others] = round.copies;
  for (const [r, range] of round.ranges.entries()) {
    const compareOne = async ([name, ask]: readonly [string, Ask]): Promise<void> => {
      const about = (copy: Copy): string =>
        `HADAL_TEST_SEED=${seed}, ${when}: ${name} of ${copy.table}, ${JSON.stringify(range)}`;
      const found = await outcomeOf(ask, whole!, range);
      expect(JSON.stringify(found), about(whole!)).not.toMatch(
        // A function gives no lists, and no numbers beyond 64 bits with six decimals.
        name === "a function"
          ? /"refused":(?!"(type-mismatch|function-failed|value-overflow)")/
          : /"refused":(?!"type-mismatch")/,
      );
      checkPlain(name, found, round.rows, range, about(whole!));
      for (const copy of others) {
        expect(await outcomeOf(ask, copy, range), about(copy)).toEqual(found);
      }
      const key = `${r} ${name}`;
      if (round.outcomes.has(key)) expect(found, about(whole!)).toEqual(round.outcomes.get(key));
      round.outcomes.set(key, found);
    };
    const waiting = Object.entries(questions);
    const compareNext = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        await compareOne(next);
    };
    await Promise.all(Array.from({ length: 6 }, compareNext));
  }
}

/** What is known without an engine. */
function checkPlain(
  name: string,
  found: unknown,
  rows: readonly MixedRow[],
  { from, to }: TimeRange,
  about: string,
): void {
  const values = rows.flatMap(({ time, v }) =>
    time >= from && time < to && v !== null ? [v] : [],
  );
  const types = new Set(values.map(({ type }) => type));
  const isText = !types.has("set") && !types.has("vector");
  const isAnswered = !JSON.stringify(found).includes("refused");
  const raw = (line: string): unknown => (JSON.parse(line) as unknown[])[0];
  if (name === "groups" && isText && values.length > 0) {
    const cells = (found as string[])
      .slice(0, -3)
      .map(raw)
      .filter((cell) => cell !== null);
    const texts = cells.map((cell) => String(cell).replace(/n$/, ""));
    expect(texts.sort(), about).toEqual([...new Set(values.map(({ text }) => text))].sort());
  }
  if (name === "v > 5" && isText && types.has("int")) {
    expect(isAnswered, `${about}: ${JSON.stringify(found)}`).toBe(true);
    const above = values.filter(
      ({ millionths }) => millionths !== undefined && millionths > 5_000_000n,
    );
    expect(raw((found as string[])[0]!), about).toBe(above.length);
  }
  const isAllNumbers = types.size === 1 && types.has("int");
  const isSmall = values.every(
    ({ millionths = 0n }) => millionths < 2n ** 63n && millionths >= -(2n ** 63n),
  );
  if (name === "average" && isAllNumbers && isSmall) {
    expect(isAnswered, `${about}: ${JSON.stringify(found)}`).toBe(true);
    const sum = values.reduce((total, { millionths = 0n }) => total + millionths, 0n);
    const average = Number(raw((found as string[])[0]!));
    expect(average, about).toBeCloseTo(Number(sum) / values.length / 1e6, 3);
  }
}

test(
  "one leaf or four, any batching, any order: every question has the same answer, also of sealed rows and after a restart",
  async () => {
    const rounds: Round[] = [];
    for (let round = 0; round < roundCount; round++) rounds.push(await load(round));
    for (const round of rounds) await compare(round, "as rows came");
    // Sealed a second after they came, and merged with their neighbours soon after.
    await sleep(3_000);
    for (const round of rounds) await compare(round, "sealed");
    await Promise.all([one.stop(), four.stop()]);
    await start();
    for (const round of rounds) await compare(round, "after a restart");
  },
  testMsFor(120_000, 2, roundCount),
);
