import type { Query, ResultValue } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSeededRandom } from "./oracle/seed/seededRandom.js";
import { askAll, sendRows } from "./support/allTime.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

interface TestRow {
  readonly time: number;
  readonly group?: string;
  readonly x?: number;
  readonly y?: number;
  readonly price?: number;
  readonly status: number;
  readonly tags?: readonly string[];
  readonly sample_rate?: number;
}

const table = "measures";
const rowCount = 150_000;
let cluster: Cluster;
let rows: readonly TestRow[];

function makeRows(): TestRow[] {
  const { next: random } = createSeededRandom(11);
  const pick = (count: number): number => Math.floor(random() * count);
  return Array.from({ length: rowCount }, (_, i) => ({
    time: i * 10 + pick(3_000),
    ...(pick(20) > 0 ? { group: `g${pick(5)}` } : {}),
    ...(pick(10) > 0 ? { x: pick(1_000) - 300 } : {}),
    // Only where x is large: a pair of them hangs together.
    ...(pick(9) > 0 ? { y: pick(100) + (i % 7) * 10 } : {}),
    ...(pick(3) > 0 ? { price: pick(100_000) / 1_000 } : {}),
    status: pick(50) === 0 ? 503 : 200,
    ...(pick(2) > 0 ? { tags: Array.from({ length: pick(3) }, () => `t${pick(4)}`) } : {}),
    ...(i > 90_000 ? { sample_rate: 1 + pick(4) } : {}),
  }));
}

beforeAll(async () => {
  cluster = await startCluster({ leaves: 2 });
  rows = makeRows();
  for (let from = 0; from < rowCount; from += 10_000) {
    await sendRows(cluster, table, rows.slice(from, from + 10_000));
  }
}, 120_000);

afterAll(() => cluster?.stop());

const ask = (query: Partial<Query>) => askAll(cluster, table, { timeoutMs: 60_000, ...query });
const weightOf = ({ sample_rate = 1 }: TestRow): number => sample_rate;
const pairs = (kept: readonly TestRow[]) =>
  kept.flatMap((row) =>
    row.x === undefined || row.y === undefined ? [] : [{ x: row.x, y: row.y, w: weightOf(row) }],
  );

function covariance(kept: readonly TestRow[]): number | null {
  const all = pairs(kept);
  const n = all.reduce((sum, { w }) => sum + w, 0);
  if (n === 0) return null;
  const mean = (of: (pair: (typeof all)[number]) => number): number =>
    all.reduce((sum, pair) => sum + of(pair) * pair.w, 0) / n;
  const [mx, my] = [mean(({ x }) => x), mean(({ y }) => y)];
  return mean(({ x, y }) => (x - mx) * (y - my));
}

function near(found: ResultValue | undefined, wanted: number | null): void {
  if (wanted === null) expect(found).toBeNull();
  else expect(Number(found)).toBeCloseTo(wanted, 6);
}

describe("examples over rows", () => {
  it("covariance, without and with groups, is what the sums say", async () => {
    const aggregates = [{ fn: "covariance", columns: ["x", "y"] }, { fn: "count" }] as const;
    const whole = await ask({ aggregates });
    expect(whole.columns[0]).toMatchObject({ name: "covariance_x_y", type: "float" });
    expect(whole.functions).toEqual([{ name: "covariance", version: 0 }]);
    near(whole.rows[0]?.[0], covariance(rows));
    expect(whole.rows[0]?.[1]).toBe(rows.reduce((sum, row) => sum + weightOf(row), 0));

    const grouped = await ask({ aggregates, groupBy: ["group"] });
    expect(grouped.rows).toHaveLength(6);
    for (const [group, found, count] of grouped.rows) {
      const own = rows.filter((row) => (row.group ?? null) === group);
      near(found, covariance(own));
      expect(count).toBe(own.reduce((sum, row) => sum + weightOf(row), 0));
    }
  });

  it("follows filters, ranges, time buckets and lists", async () => {
    const aggregates = [{ fn: "covariance", columns: ["x", "y"], as: "c" }] as const;
    const filter = [{ column: "x", op: ">", value: 100 }] as const;
    const [from, to] = [200_000, 1_100_000];
    const { rows: found } = await ask({
      aggregates,
      filter,
      from,
      to,
      groupBy: [{ time: "5m" }, { element: "tags" }],
    });
    const inside = rows.filter(
      ({ x, time }) => x !== undefined && x > 100 && time >= from && time < to,
    );
    expect(found.length).toBeGreaterThan(8);
    for (const [start, tag, value] of found) {
      const own = inside.filter(
        ({ time, tags }) =>
          Math.floor(time / 300_000) * 300_000 === start &&
          (tag === null ? tags === undefined : tags?.includes(tag as string) === true),
      );
      near(value, covariance(own));
    }
  });

  it("many groups, each with a state of its own", async () => {
    const { rows: found } = await ask({
      aggregates: [{ fn: "covariance", columns: ["x", "y"], as: "c" }, { fn: "count" }],
      groupBy: ["x"],
    });
    const distinct = new Set(rows.map(({ x }) => x));
    expect(found).toHaveLength(distinct.size);
    for (const [x, value] of found) {
      near(value, covariance(rows.filter((row) => (row.x ?? null) === x)));
    }
  });

  it("entropy, correlation and budget burn", async () => {
    const { rows: found } = await ask({
      aggregates: [
        { fn: "entropy", columns: ["group"] },
        { fn: "correlation", columns: ["x", "y"] },
        { fn: "budget_burn", columns: ["status"] },
      ],
    });
    const total = rows.reduce((sum, row) => sum + weightOf(row), 0);
    const counts = new Map<string, number>();
    for (const row of rows) {
      if (row.group === undefined) continue;
      counts.set(row.group, (counts.get(row.group) ?? 0) + weightOf(row));
    }
    const present = [...counts.values()].reduce((sum, one) => sum + one, 0);
    const entropy = [...counts.values()].reduce(
      (sum, one) => sum - (one / present) * Math.log2(one / present),
      0,
    );
    near(found[0]?.[0], entropy);
    const failed = rows
      .filter(({ status }) => status >= 500)
      .reduce((sum, row) => sum + weightOf(row), 0);
    near(found[0]?.[2], failed / total / 0.001);
    const all = pairs(rows);
    const sumOf = (of: (pair: (typeof all)[number]) => number): number =>
      all.reduce((sum, pair) => sum + of(pair) * pair.w, 0);
    const n = sumOf(() => 1);
    const top = n * sumOf(({ x, y }) => x * y) - sumOf(({ x }) => x) * sumOf(({ y }) => y);
    const spread =
      (n * sumOf(({ x }) => x * x) - sumOf(({ x }) => x) ** 2) *
      (n * sumOf(({ y }) => y * y) - sumOf(({ y }) => y) ** 2);
    near(found[0]?.[1], top / Math.sqrt(spread));
  });
});

describe("functions over rows", () => {
  it("may return strings, keep anything JSON can hold, and use derived columns", async () => {
    await cluster.client.saveFunction("span", {
      source: `{
        init: () => ({ least: Infinity, most: -Infinity, seen: 0n }),
        update(s, value) {
          return { least: Math.min(s.least, value), most: Math.max(s.most, value), seen: s.seen + 1n };
        },
        merge: (a, b) => ({ least: Math.min(a.least, b.least), most: Math.max(a.most, b.most), seen: a.seen + b.seen }),
        finalize: (s) => (s.seen === 0n ? undefined : s.least + ".." + s.most + "/" + s.seen),
      }`,
    });
    const { rows: found, columns } = await ask({
      derive: [{ as: "twice", js: "(row) => row.price * 2" }],
      aggregates: [{ fn: "span", columns: ["twice"], as: "s" }],
      groupBy: ["status"],
      filter: [{ column: "status", op: "!=", value: 0 }],
    });
    expect(columns[1]).toMatchObject({ name: "s", type: "string" });
    for (const [status, text] of found) {
      const own = rows.flatMap((row) =>
        row.status === status && row.price !== undefined ? [row.price * 2] : [],
      );
      const least = own.reduce((a, b) => Math.min(a, b));
      const most = own.reduce((a, b) => Math.max(a, b));
      expect(text).toBe(`${least}..${most}/${own.length}`);
    }
  });

  it("sums of what is derived are not taken for sums of nothing", async () => {
    const { rows: found } = await ask({
      derive: [{ as: "twice", js: "(row) => row.x * 2" }],
      aggregates: [
        { fn: "covariance", columns: ["twice", "y"], as: "of_twice" },
        { fn: "covariance", columns: ["x", "y"], as: "of_x" },
      ],
    });
    const [ofTwice, ofX] = found[0] ?? [];
    expect(Number(ofX)).not.toBe(0);
    near(ofTwice, 2 * Number(ofX));
  });

  it("no rows give one row with what it says of none", async () => {
    const { rows: found } = await ask({
      aggregates: [{ fn: "covariance", columns: ["x", "y"] }, { fn: "count" }],
      filter: [{ column: "status", op: "=", value: 1 }],
    });
    expect(found).toEqual([[null, 0, 0]]);
  });

  it("compares", async () => {
    const { rows: found, columns } = await ask({
      aggregates: [{ fn: "covariance", columns: ["x", "y"], as: "c" }],
      from: 750_000,
      to: 1_500_000,
      compare: { offset: "750s" },
      having: [{ column: "c.delta", op: "is present" }],
      orderBy: [{ by: "c.delta_pct", desc: true }],
    });
    const inRange = (from: number, to: number) =>
      rows.filter(({ time }) => time >= from && time < to);
    const names = ["c", "c.compare", "c.delta", "c.delta_pct"];
    expect(columns.map(({ name }) => name)).toEqual(names);
    const [main, base] = [inRange(750_000, 1_500_000), inRange(0, 750_000)].map(covariance);
    near(found[0]?.[0], main!);
    near(found[0]?.[1], base!);
    near(found[0]?.[2], main! - base!);
    near(found[0]?.[3], ((main! - base!) / Math.abs(base!)) * 100);
  });

  it("BigInts are integers, exact and in the order of their values", async () => {
    await cluster.client.saveFunction("huge", {
      source:
        "{ init: () => 0n, update: (s, x, w) => s + BigInt(x * w), merge: (a, b) => a + b, finalize: (s) => s * 10n ** 11n }",
    });
    const { rows: found, columns } = await ask({
      aggregates: [
        { fn: "sum", column: "status", as: "s" },
        { fn: "huge", columns: ["status"], as: "h" },
      ],
      groupBy: ["group"],
      orderBy: [{ by: "h", desc: true }],
      having: [{ column: "h", op: "!=", value: 0 }],
    });
    expect(columns.find(({ name }) => name === "h")?.type).toBe("int");
    const sums = found.map((row) => BigInt(row[1] as number));
    expect(sums.length).toBeGreaterThan(2);
    expect(sums).toEqual(sums.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
    expect(found.map((row) => BigInt(row[2] as number))).toEqual(
      sums.map((sum) => sum * 10n ** 11n),
    );
  });

  it("of texts nothing is calculated, and numbers beside them are texts", async () => {
    await cluster.client.saveFunction("few", {
      source:
        "{ init: () => 0, update: (s, x) => x, merge: (a, b) => Math.max(a, b), finalize: (s) => s > 200 ? 'many' : s }",
    });
    const few: Partial<Query> = {
      aggregates: [{ fn: "few", columns: ["status"], as: "f" }],
      groupBy: ["status"],
    };
    const { rows: found } = await ask(few);
    expect(new Set(found.map((row) => row[1]))).toEqual(new Set(["many", "200"]));
    const calculate = [
      { as: "m", expression: { fn: "is missing" as const, args: [{ column: "f" }] } },
    ];
    await expect(ask({ ...few, calculate })).rejects.toMatchObject({
      code: "type-mismatch",
      errors: [{ path: "calculate[0].expression" }],
    });
  });

  it("texts have no difference", async () => {
    await cluster.client.saveFunction("words", {
      source:
        "{ init: () => 0, update: (s, x) => s + 1, merge: (a, b) => a + b, finalize: (s) => s + ' rows' }",
    });
    const { rows: found, columns } = await ask({
      aggregates: [{ fn: "words", columns: ["x"], as: "w" }],
      from: 750_000,
      to: 1_500_000,
      compare: { offset: "750s" },
    });
    const types = columns.map(({ name, type }) => `${name} ${type}`);
    expect(types).toEqual(["w string", "w.compare string", "w.delta float", "w.delta_pct float"]);
    expect(found[0]).toEqual([expect.stringContaining("rows"), expect.anything(), null, null]);
  });

  it.each([
    [{ aggregates: [{ fn: "covarience", columns: ["x", "y"] }] }, "unknown-function", "covariance"],
    [{ aggregates: [{ fn: "covariance", columns: ["x"] }] }, "function-invalid", "found 1 column"],
    [{ aggregates: [{ fn: "domain", columns: ["x"] }] }, "type-mismatch", "one row"],
    [{ aggregates: [{ fn: "entropy", columns: ["grup"] }] }, "unknown-column", "group"],
    [{ aggregates: [{ fn: "sum", columns: ["x"] }] }, "invalid-query", "column"],
    [{ aggregates: [{ fn: "entropy", columns: [] }] }, "invalid-query", "one column or more"],
  ])("%j is refused: %s", async (query, code, text) => {
    await expect(ask(query as Partial<Query>)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(text),
    });
  });

  it("is given up at the query's deadline when it takes too long to finish", async () => {
    const slow = "var y = 0; for (var i = 0; i < 200000; i++) y += i % 7; return y;";
    const source = `{ init: () => 0, update: (s, x) => x, merge: (a, b) => a + b, finalize: (s) => { ${slow} } }`;
    const patient = await startCluster({
      leaves: 1,
      environment: { HADAL_FUNCTION_CPU_MS: "10000" },
    });
    try {
      await sendRows(patient, table, rows.slice(0, 10_000));
      await patient.client.saveFunction("slow", { source });
      const startedMs = performance.now();
      const aggregates = [{ fn: "slow", columns: ["x"] }];
      const asked = askAll(patient, table, { aggregates, groupBy: ["x"], timeoutMs: 2_000 });
      await expect(asked).rejects.toMatchObject({
        code: "function-limit",
        message: expect.stringContaining("timeoutMs"),
      });
      // To the end it would take minutes.
      expect(performance.now() - startedMs).toBeLessThan(10_000);
    } finally {
      await patient.stop();
    }
  });

  it.each([
    ["init", "{ init() { throw new Error('x') }, update(s, x) {}, merge(a) {}, finalize() {} }"],
    ["update", "{ init: () => 1, update(s, x) { null.x }, merge(a) {}, finalize() {} }"],
    ["merge", "{ init: () => 1, update(s, x) {}, merge() { null.x }, finalize() {} }"],
    ["finalize", "{ init: () => 1, update(s, x) {}, merge(a) {}, finalize() { return {} } }"],
  ])("what %s throws ends the query with its reason", async (_, source) => {
    await cluster.client.saveFunction("broken", { source });
    const asked = ask({ aggregates: [{ fn: "broken", columns: ["x"] }] });
    await expect(asked).rejects.toMatchObject({ code: "function-failed" });
  });

  it("sums of leaves are those of the sandbox", async () => {
    const { client } = cluster;
    const { source } = await client.function("correlation");
    // A condition that always holds keeps leaves from recognising that these are sums.
    const opaque = source.replace(
      "update(s, x, y, weight) {",
      "update(s, x, y, weight) { if (s === 0) return;",
    );
    await client.saveFunction("opaque", { source: opaque });
    const queries: Partial<Query>[] = [
      {},
      { groupBy: ["group"] },
      { groupBy: [{ time: "1m" }, "status"], from: 0, to: 1_600_000 },
      { groupBy: [{ element: "tags" }] },
      { filter: [{ column: "y", op: "<", value: 50 }], from: 333_333, to: 777_777 },
      { filter: [{ column: "status", op: "=", value: 4 }] },
    ];
    for (const columns of [
      ["x", "price"],
      ["time", "x"],
    ]) {
      for (const query of queries) {
        const asked = (fn: string) =>
          ask({
            ...query,
            aggregates: [{ fn, columns, as: "c" }, { fn: "count" }],
            orderBy: [{ by: "count" }],
          });
        const [quick, slow] = [await asked("correlation"), await asked("opaque")];
        expect(quick.rows).toHaveLength(slow.rows.length);
        const keyOf = (row: readonly unknown[]) => JSON.stringify(row.slice(0, -3));
        const wanted = new Map(slow.rows.map((row) => [keyOf(row), row]));
        for (const row of quick.rows) {
          const other = wanted.get(keyOf(row));
          near(row.at(-3), other?.at(-3) === null ? null : Number(other?.at(-3)));
          expect(row.slice(-2)).toEqual(other?.slice(-2));
        }
      }
    }
  });

  it("too many groups end the query with the limit's name", async () => {
    const asked = ask({ aggregates: [{ fn: "entropy", columns: ["x"] }], groupBy: ["time"] });
    await expect(asked).rejects.toMatchObject({
      code: "function-limit",
      message: expect.stringContaining("functionGroupsMax"),
    });
  });
});
