import {
  createClient,
  type DerivedColumn,
  type Filter,
  functionTrialRowsMax,
  type HadalClient,
  type Query,
  type Result,
} from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { allTime } from "../support/allTime.js";
import { loadTable } from "../support/loadTable.js";
import { adminOf } from "../support/people.js";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { type Answered, outcome, textOf } from "./compare/sameAnswer.js";
import { rowTest } from "./naive/naiveFilter.js";
import { randomDerivedQuery } from "./random/randomDerive.js";
import { randomFilters } from "./random/randomFilter.js";
import { randomQuery } from "./random/randomQuery.js";
import { oracleSeed, queriesPerTable, testMsFor } from "./seed/seed.js";
import { createSeededRandom } from "./seed/seededRandom.js";
import type { OracleTable } from "./table/oracleTable.js";
import { oracleTables } from "./table/oracleTables.js";

const seed = oracleSeed();
const queryCount = queriesPerTable(36);
const testMsMax = testMsFor(120_000, 36, queryCount);
/** Hidden, as their types depend on which rows there are. */
const mixed = ["grown", "mixed", "turned", "gathered"];

/** What someone may read of a table, and a table with exactly that. */
interface Granted {
  readonly all: OracleTable;
  readonly own: OracleTable;
  /** Rows that pass one of these. */
  readonly filters: readonly (readonly Filter[])[];
  readonly hiddenColumns: readonly string[];
}

function grantedOf(all: OracleTable, index: number): Granted {
  const random = createSeededRandom(seed * 7_000 + index);
  const some = random.sample(["small", "few", "odd", "latency_us", "stack"], 2);
  const hiddenColumns = [...some, ...mixed];
  const known = { ...all, columns: all.columns.filter(({ name }) => !mixed.includes(name)) };
  for (;;) {
    const filters = Array.from({ length: random.int(1, 2) }, () => randomFilters(known, random));
    const tests = filters.map((filter) => rowTest(all, filter));
    const rows = all.rows.filter((row) => tests.some((test) => test(row) === true));
    // A grant of nearly nothing, or of nearly all, is of little use here. The first row has a value in each column.
    const isSelective = rows.length > 100 && rows.length < all.rows.length - 100;
    if (!isSelective || rows[0] !== all.rows[0]) continue;
    const columns = all.columns.filter(({ name }) => !hiddenColumns.includes(name));
    return { all, own: { name: `${all.name}_own`, columns, rows }, filters, hiddenColumns };
  }
}

const granted = oracleTables(seed, 1_500).map(grantedOf);

describe("whoever has a grant is answered as if nothing else existed", () => {
  let cluster: Cluster;
  /** Reads the tables by its grants. */
  let reader: HadalClient;
  let token: string;
  beforeAll(async () => {
    cluster = await startCluster({ leaves: 1, environment: { HADAL_SEAL_AFTER: "1" } });
    for (const { all, own } of granted) {
      await loadTable(cluster, all, 500, 1);
      await loadTable(cluster, own, 500, 1);
    }
    const admin = adminOf(cluster.url);
    const created = await admin.createToken(["query:*", "save"]);
    const { id } = created;
    token = created.token;
    const grants = granted.flatMap(({ all, filters, hiddenColumns }) =>
      filters.map((filter) => ({ token: id, table: all.name, filter, hiddenColumns })),
    );
    await admin.putGrants(grants);
    reader = createClient({ url: cluster.url, token, webSocket: WebSocket as never });
  }, testMsMax);
  afterAll(async () => {
    reader?.close();
    await cluster?.stop();
  });

  async function expectSame<Answer extends Answered>(
    { all, own }: Granted,
    ask: (client: HadalClient, table: string) => Promise<Answer>,
    question: object,
  ): Promise<void> {
    const asReader = await outcome(() => ask(reader, all.name), all.name);
    const ofOwn = await outcome(() => ask(cluster.client, own.name), own.name);
    expect(asReader, `HADAL_TEST_SEED=${seed} ${JSON.stringify(question, textOf)}`).toBe(ofOwn);
  }

  test.each(granted)(
    "$all.name: queries",
    async (one) => {
      for (let index = 0; index < queryCount; index++) {
        const random = { ...randomQuery(one.all, seed * 8_000 + index), timeoutMs: 30_000 };
        // Which of the rows of one moment are shown depends on the segments that happen to be sealed.
        const query = random.sampleView ? { ...random, limit: 5_000 } : random;
        await expectSame(one, (client, table) => client.query({ ...query, table }), query);
      }
    },
    testMsMax,
  );

  test.each(granted)(
    "$all.name: derived columns, also of the names of hidden ones, and functions",
    async (one) => {
      for (let index = 0; index < queryCount / 3; index++) {
        const { query } = randomDerivedQuery(one.all, seed * 9_000 + index);
        const renamed = index % 2 === 0 ? query : rename(query, "d0", one.hiddenColumns[0]!);
        const whole = { ...renamed, timeoutMs: 30_000 };
        await expectSame(one, (client, table) => client.query({ ...whole, table }), whole);
      }
      for (const query of functionQueries(one)) {
        await expectSame(one, (client, table) => client.query({ ...query, table }), query);
      }
    },
    testMsMax,
  );

  test.each(granted)(
    "$all.name: facets, values and what changed",
    async (one) => {
      for (let index = 0; index < queryCount / 6; index++) {
        const random = createSeededRandom(seed * 10_000 + index);
        const filter = index === 0 ? [] : randomFilters(one.own, random);
        const facets = { ...allTime, filter, limit: 20, timeoutMs: 30_000 };
        await expectSame(one, (client, table) => client.facets({ ...facets, table }), facets);
        const selection = { filter: randomFilters(one.own, random) };
        const request = { ...allTime, filter, selection, timeoutMs: 30_000 };
        const change = (client: HadalClient, table: string) =>
          client.whatChanged({ ...request, table });
        await expectSame(one, change, request);
        const { name } = random.pick(one.all.columns);
        const values = (client: HadalClient, table: string) =>
          client.values(table, name, { limit: 10 });
        await expectSame(one, values, { name });
      }
    },
    testMsMax,
  );

  test.each(granted)("$all.name: live queries, and the same query of both", async (one) => {
    const query = { ...allTime, groupBy: ["flag"], aggregates: [{ fn: "count" as const }] };
    const ask = (client: HadalClient, table: string) => client.query({ ...query, table });
    await Promise.all([
      cluster.client.query({ ...query, table: one.all.name, freshnessMs: 60_000 }),
      expectSame(one, ask, query),
    ]);
    const fresh = { ...query, freshnessMs: 60_000 };
    await expectSame(one, (client, table) => client.query({ ...fresh, table }), fresh);
    const live = async (client: HadalClient, table: string): Promise<Result> => {
      for await (const result of client.live({ ...query, table })) if (result.final) return result;
      throw new Error("a live query goes on until it is stopped");
    };
    await expectSame(one, live, query);
  });

  test("a function is tried with the newest rows that may be read", async () => {
    const source = "(row) => row.unique ?? 'none'";
    const limit = functionTrialRowsMax;
    // Of more rows those of one moment are cut by chance.
    const short = granted.filter(({ own }) => own.rows.length <= limit);
    expect(short).not.toEqual([]);
    for (const { all, own } of short) {
      const triedBy = async (client: HadalClient, table: string) => {
        const { rows } = await client.tryFunction({ source, table, limit });
        return rows.map((row) => JSON.stringify(row)).sort();
      };
      const tried = await triedBy(reader, all.name);
      expect(tried).toHaveLength(own.rows.length);
      expect(tried).toEqual(await triedBy(cluster.client, own.name));
    }
  });

  test("no form of an answer says how many rows there are", async () => {
    const { all } = granted[0]!;
    const query = { ...allTime, table: all.name, groupBy: ["flag"] };
    const forms = ["application/json", "application/x-ndjson", "text/csv"];
    for (const accept of forms) {
      const response = await fetch(`${cluster.url}/api/v1/query`, {
        method: "POST",
        headers: { "content-type": "application/json", accept, authorization: `Bearer ${token}` },
        body: JSON.stringify({ query }),
      });
      expect(response.status).toBe(200);
      expect(response.headers.get("x-hadal-completeness")).toBe("1; leaves 1/1");
      expect(await response.text()).not.toMatch(/rowsScanned|rowsExpected|rowsAnswered|; rows /);
    }
  });

  test("tables are listed without sizes, and without hidden columns", async () => {
    const listed = await reader.tables();
    expect(listed.map(({ name }) => name).sort()).toEqual(
      granted.map(({ all }) => all.name).sort(),
    );
    for (const table of listed) expect(Object.keys(table).sort()).toEqual(["name", "retention"]);
    for (const { all, own, hiddenColumns } of granted) {
      const detail = await reader.table(all.name);
      const names = detail.columns.map(({ name }) => name);
      expect(names.toSorted()).toEqual(["time", ...own.columns.map(({ name }) => name)].sort());
      expect(names).not.toEqual(expect.arrayContaining([...hiddenColumns]));
      expect(JSON.stringify(detail)).not.toMatch(/"(rows|bytes|fromMs|toMs|segments)"/);
    }
    const { own } = granted[0]!;
    const refused = await reader.table(own.name).catch((error: unknown) => error);
    const missing = await reader.table("nothing_own").catch((error: unknown) => error);
    expect(
      String(refused)
        .replace(own.name, "x")
        .replace(/ Did you.*/, ""),
    ).toBe(
      String(missing)
        .replace("nothing_own", "x")
        .replace(/ Did you.*/, ""),
    );
  });
});

/** The query with another name for one of its derived columns. */
const rename = (query: Query, from: string, to: string): Query =>
  JSON.parse(JSON.stringify(query).replaceAll(JSON.stringify(from), JSON.stringify(to))) as Query;

/** Functions that would show a row that is not granted: by an error, by a sum that overflows, by a value. */
function functionQueries({ all, hiddenColumns }: Granted): readonly Query[] {
  const rest = { ...allTime, table: all.name, timeoutMs: 30_000 };
  const count = [{ fn: "count" as const }];
  const columns = ["unique", "message", "flag", hiddenColumns[0]!];
  return columns.flatMap((name): Query[] => {
    const get = `row[${JSON.stringify(name)}]`;
    const thrower = `(row) => { if (${get} === undefined) return "none"; throw new Error(${get}); }`;
    const reader = `(row) => JSON.stringify(${get})`;
    const derive = (js: string): DerivedColumn[] => [{ as: "f", js }];
    return [
      { ...rest, derive: derive(thrower), groupBy: ["f"], aggregates: count },
      { ...rest, derive: derive(reader), groupBy: ["f"], aggregates: count, limit: 20 },
      { ...rest, derive: derive(reader), filter: [{ column: "f", op: "~", value: "1" }] },
    ];
  });
}
