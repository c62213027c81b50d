import {
  createClient,
  type EmbedDraft,
  type Filter,
  type HadalClient,
  type Query,
  type Result,
} from "@hadal/sdk";
import { printSql } from "@hadal/sdk/sql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { loadTable } from "../support/loadTable.js";
import { adminOf } from "../support/people.js";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { type Answered, outcome, textOf } from "./compare/sameAnswer.js";
import { isBeyond } from "./naive/beyondToken.js";
import { rowTest } from "./naive/naiveFilter.js";
import { randomDerivedQuery } from "./random/randomDerive.js";
import { randomFilters } from "./random/randomFilter.js";
import { randomQuery } from "./random/randomQuery.js";
import { oracleSeed, queriesPerTable, testMsFor } from "./seed/seed.js";
import { createSeededRandom } from "./seed/seededRandom.js";
import type { OracleTable } from "./table/oracleTable.js";
import { oracleTables } from "./table/oracleTables.js";

const seed = oracleSeed();
const queryCount = queriesPerTable(40);
const testMsMax = testMsFor(120_000, 40, queryCount);
/** Hidden, as their types depend on which rows there are. */
const mixed = ["grown", "mixed", "turned", "gathered"];
const centuryMs = 3_155_760_000_000;

/** What an embed shows of a table, a table with exactly that, and a token for it that says how it is asked. */
interface Embedded {
  readonly all: OracleTable;
  readonly own: OracleTable;
  /** What whoever makes the embed may read. */
  readonly grant: { readonly filter: readonly Filter[]; readonly hiddenColumns: readonly string[] };
  readonly draft: EmbedDraft & Required<Pick<EmbedDraft, "groupBy" | "filter" | "hiddenColumns">>;
}

function embeddedOf(all: OracleTable, index: number): Embedded {
  const random = createSeededRandom(seed * 11_000 + index);
  const without = (names: readonly string[]) => ({
    ...{ ...all, columns: all.columns.filter(({ name }) => !names.includes(name)) },
  });
  const some = random.sample(["small", "few", "odd", "latency_us", "stack"], 2);
  const grantHides = [some[0]!, ...mixed];
  const own = without([...some, ...mixed]);
  const names = own.columns.map(({ name }) => name);
  const last = all.rows.reduce((latest, { timeMs }) => Math.max(latest, timeMs), -Infinity);
  const first = all.rows.reduce((earliest, { timeMs }) => Math.min(earliest, timeMs), Infinity);
  const draft = {
    ...{ title: "Random", table: all.name, hiddenColumns: [some[1]!] },
    groupBy: random.sample(["time", ...names], Math.ceil(names.length * 0.7)),
    views: random.chance(0.5) ? ["timeseries", "rows"] : ["timeseries"],
    rangeMsMax: index % 2 === 0 ? centuryMs : Math.ceil((last - first) * 0.7) + 60_000,
  };
  for (;;) {
    const granted = randomFilters(without(mixed), random);
    const filter = randomFilters(without(grantHides), random);
    const tests = [granted, filter].map((conditions) => rowTest(all, conditions));
    const rows = all.rows.filter((row) => tests.every((test) => test(row) === true));
    // The first row has a value in each column.
    const isSelective = rows.length > 50 && rows.length < all.rows.length - 100;
    if (!isSelective || rows[0] !== all.rows[0]) continue;
    return {
      ...{ all, own: { ...own, name: `${all.name}_own`, rows } },
      ...{ grant: { filter: granted, hiddenColumns: grantHides }, draft: { ...draft, filter } },
    };
  }
}

const embedded = oracleTables(seed, 1_000).map(embeddedOf);

describe("an embed answers what its token allows as if nothing else existed, and nothing else", () => {
  let cluster: Cluster;
  const visitors = new Map<string, HadalClient>();
  const visitorOf = ({ all }: Embedded): HadalClient => visitors.get(all.name)!;
  const opened: HadalClient[] = [];
  const open = (token: string): HadalClient => {
    const client = createClient({ url: cluster.url, token, webSocket: WebSocket as never });
    opened.push(client);
    return client;
  };

  beforeAll(async () => {
    cluster = await startCluster({ leaves: 1, environment: { HADAL_SEAL_AFTER: "1" } });
    for (const { all, own } of embedded) {
      await loadTable(cluster, all, 500, 1);
      await loadTable(cluster, own, 500, 1);
    }
    const admin = adminOf(cluster.url);
    const maker = await admin.createToken(["embed:*"]);
    await admin.putGrants(
      embedded.map(({ all, grant }) => ({ token: maker.id, table: all.name, ...grant })),
    );
    const client = open(maker.token);
    for (const { all, draft } of embedded)
      visitors.set(all.name, open((await client.embeds.create(draft)).token));
  }, testMsMax);
  afterAll(async () => {
    for (const client of opened) client.close();
    await cluster?.stop();
  });

  let allowedCount = 0;
  let refusedCount = 0;
  /** `beyond`: what the token does not allow, if anything is asked that is there. */
  async function expectSame<Answer extends Answered>(
    one: Embedded,
    { beyond, question }: { readonly beyond: boolean; readonly question: object },
    ask: (client: HadalClient, table: string) => Promise<Answer>,
  ): Promise<void> {
    const { all, own } = one;
    const seen = await outcome(() => ask(visitorOf(one), all.name), all.name);
    const ofOwn = await outcome(() => ask(cluster.client, own.name), own.name);
    const text = `HADAL_TEST_SEED=${seed} ${JSON.stringify([question, one.draft], textOf)}`;
    const isRefused = (answer: string) => answer.startsWith('{"code":');
    if (!beyond) expect(seen, text).toBe(ofOwn);
    // Where something else is wrong with it, either is said.
    else if (!isRefused(ofOwn)) expect(seen, text).toContain('"code":"token-scope"');
    else expect(isRefused(seen), text).toBe(true);
    if (beyond) refusedCount++;
    else if (!isRefused(seen)) allowedCount++;
  }

  test.each(embedded)(
    "$all.name: queries, as JSON and as SQL",
    async (one) => {
      const range = one.draft.rangeMsMax;
      for (let index = 0; index < queryCount; index++) {
        const random = { ...randomQuery(one.all, seed * 12_000 + index), timeoutMs: 30_000 };
        // Months are of different length: which side is too long is another test's question.
        if (random.compare?.offset === "1mo" && range !== centuryMs) continue;
        const whole = withAllRows(random);
        const query = index % 5 === 0 ? withText(whole) : whole;
        const beyond = isBeyond(query, one.all, one.draft);
        await expectSame(one, { beyond, question: query }, (client, table) => {
          const renamed = { ...query, table };
          const sql = index % 3 === 0 ? sqlOf(renamed) : null;
          return client.query(sql ?? renamed);
        });
      }
    },
    testMsMax,
  );

  test.each(embedded)(
    "$all.name: derived columns and functions",
    async (one) => {
      for (let index = 0; index < queryCount / 3; index++) {
        const { query, derived } = randomDerivedQuery(one.all, seed * 13_000 + index);
        const whole = withAllRows({ ...query, timeoutMs: 30_000 });
        const beyond = isBeyond(whole, derived, one.draft);
        await expectSame(one, { beyond, question: whole }, (client, table) =>
          client.query({ ...whole, table }),
        );
      }
      const { groupBy, views, hiddenColumns } = one.draft;
      for (const name of ["unique", "message", "flag", hiddenColumns[0]!]) {
        // Which of several rows fails first depends on the segments: all that fail have the same value.
        const failing = JSON.stringify(String(one.all.rows[0]!.values.get(name)));
        const js = `(row) => { if (String(row.${name}) !== ${failing}) return "none"; throw new Error(row.${name}); }`;
        const query: Query = {
          ...{ ...rangeOf(one), table: "", derive: [{ as: "f", js }], timeoutMs: 30_000 },
          filter: [{ column: "f", op: "=", value: "a" }],
        };
        const isHidden = hiddenColumns.includes(name);
        const beyond = !isHidden && !groupBy.includes(name) && !views.includes("rows");
        await expectSame(one, { beyond, question: query }, (client, table) =>
          client.query({ ...query, table }),
        );
      }
    },
    testMsMax,
  );

  test.each(embedded)(
    "$all.name: facets, values and what changed",
    async (one) => {
      const { groupBy } = one.draft;
      const range = rangeOf(one);
      for (let index = 0; index < queryCount / 6; index++) {
        const random = createSeededRandom(seed * 14_000 + index);
        const filter = index === 0 ? [] : randomFilters(one.own, random);
        const columns = random.sample(
          one.own.columns.map(({ name }) => name),
          random.pick([1, 2]),
        );
        const beyond = columns.some((name) => !groupBy.includes(name));
        const facets = { ...range, filter, columns, limit: 20, timeoutMs: 30_000 };
        await expectSame(one, { beyond, question: facets }, (client, table) =>
          client.facets({ ...facets, table }),
        );
        const selection = { filter: randomFilters(one.own, random) };
        const request = { ...range, filter, columns, selection, timeoutMs: 30_000 };
        await expectSame(one, { beyond, question: request }, (client, table) =>
          client.whatChanged({ ...request, table }),
        );
        const { name } = random.pick(one.own.columns);
        const isOther = !groupBy.includes(name);
        await expectSame(one, { beyond: isOther, question: { name } }, (client, table) =>
          client.values(table, name, { ...range, limit: 10 }),
        );
      }
    },
    testMsMax,
  );

  test.each(embedded)("$all.name: what is not named is what the token lists", async (one) => {
    const { all, draft } = one;
    const range = { ...rangeOf(one), table: all.name, timeoutMs: 30_000 };
    const shown = one.own.columns
      .map(({ name }) => name)
      .filter((name) => draft.groupBy.includes(name));
    const facets = await visitorOf(one).facets(range);
    expect(facets.columns.map(({ name }) => name).sort()).toEqual(shown.sort());
    const selection = { filter: [{ column: "time", op: "<" as const, value: range.from + 1_000 }] };
    const changed = await visitorOf(one).whatChanged({ ...range, selection });
    for (const { name } of changed.columns) expect(shown).toContain(name);
  });

  test.each(embedded)(
    "$all.name: live queries, and the same query of another person",
    async (one) => {
      const query = {
        ...rangeOf(one),
        aggregates: [{ fn: "count" as const }],
        freshnessMs: 60_000,
      };
      await cluster.client.query({ ...query, table: one.all.name });
      const live = async (client: HadalClient, table: string): Promise<Result> => {
        for await (const result of client.live({ ...query, table }))
          if (result.final) return result;
        throw new Error("a live query goes on until it is stopped");
      };
      await expectSame(one, { beyond: false, question: query }, live);
    },
  );

  test("the trials above were of both kinds", () => {
    expect(allowedCount).toBeGreaterThan(50);
    expect(refusedCount).toBeGreaterThan(50);
  });

  test("another table is refused, whether it exists or not", async () => {
    const [one, two] = embedded;
    for (const table of [two!.all.name, "nothing"]) {
      const ask = visitorOf(one!).query({ ...rangeOf(one!), table });
      await expect(ask).rejects.toMatchObject({ code: "token-scope" });
    }
  });
});

/** As long as the token allows, from the first row on. */
function rangeOf({ all, draft }: Embedded): { readonly from: number; readonly to: number } {
  const times = all.rows.map(({ timeMs }) => timeMs);
  const from = times.reduce((a, b) => Math.min(a, b));
  const to = times.reduce((a, b) => Math.max(a, b)) + 1;
  return { from, to: Math.min(to, from + draft.rangeMsMax) };
}

/** Which of the rows of one moment are shown depends on the segments that happen to be sealed. */
const withAllRows = (query: Query): Query =>
  query.sampleView ? { ...query, limit: 5_000 } : query;

/** The first text of a column is one of its values. */
const withText = (query: Query): Query => ({
  ...query,
  aggregates: [...(query.aggregates ?? []), { fn: "min", column: "message", as: "first text" }],
});

/** Null where it cannot be said so. */
function sqlOf(query: Query): string | null {
  try {
    return printSql(query);
  } catch {
    return null;
  }
}
