import { DuckDBInstance } from "@duckdb/node-api";
import { HadalError, type Query, type Result, type ResultValue } from "@hadal/sdk";
import { parseSql } from "@hadal/sdk/sql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSeededRandom, type SeededRandom } from "./oracle/seed/seededRandom.js";
import { askAll, sendLines } from "./support/allTime.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

const seed = 20_261_121;
const rowCount = 300;
const services = ["checkout", "search", "Émile", ""];

interface Row {
  readonly time: number;
  readonly service: string | null;
  readonly a: number;
  readonly b: number | null;
  readonly price: number;
}

function randomRows(random: SeededRandom): readonly Row[] {
  return Array.from({ length: rowCount }, (_, i) => ({
    time: i * 60_000,
    service: random.chance(0.1) ? null : random.pick(services),
    a: random.int(-50, 50),
    b: random.chance(0.3) ? null : random.int(-3, 3),
    price: random.int(-999, 999) / 100,
  }));
}

const rows = randomRows(createSeededRandom(seed));
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 2 });
  const lines = rows.map((row) => JSON.stringify(row));
  for (let i = 0; i < rowCount; i += 20) await sendLines(cluster, "t", lines.slice(i, i + 20));
  const source =
    "({ init: () => ({ n: 0 }), update: (s, a) => { s.n += Math.abs(a); }, merge: (s, o) => { s.n += o.n; }, finalize: (s) => s.n })";
  await cluster.client.saveFunction("reach", { source });
  const word =
    "({ init: () => ({ n: 0 }), update: (s, a) => { s.n += a; }, merge: (s, o) => { s.n += o.n; }, finalize: (s) => (s.n < 0 ? 'below' : 'above') })";
  await cluster.client.saveFunction("side", { source: word });
}, 120_000);
afterAll(() => cluster?.stop());

const range = "time >= '1970-01-01T00:00:00Z' AND time < '1970-01-02T00:00:00Z'";

function ask(select: string, rest = ""): Promise<Result> {
  const query = parseSql(`SELECT ${select} FROM t WHERE ${range} ${rest}`);
  return cluster.client.query({ ...query, exact: true, timeoutMs: 20_000 });
}

const namesOf = ({ columns }: Result): readonly string[] => columns.map(({ name }) => name);
const of = (service: string | null): readonly Row[] =>
  rows.filter((row) => row.service === service);
const sumOf = (some: readonly Row[]): number => some.reduce((sum, { a }) => sum + a, 0);
const reachOf = (some: readonly Row[]): number => some.reduce((sum, { a }) => sum + Math.abs(a), 0);
const all = [...services, null];

describe("calculated columns", () => {
  test("stand where they are selected, and nothing else is shown", async () => {
    const result = await ask("sum(a) / count(*) AS mean, service, -sum(a)", "GROUP BY service");
    expect(namesOf(result)).toEqual(["mean", "service", "-sum_a"]);
    expect(result.columns.map(({ type, role }) => [type, role])).toEqual([
      ...[
        ["float", "aggregate"],
        ["string", "group"],
      ],
      ["int", "aggregate"],
    ]);
    for (const [mean, service, negated] of result.rows) {
      const some = of(service as string | null);
      expect(mean).toBe(sumOf(some) / some.length);
      expect(negated).toBe(0 - sumOf(some));
    }
    expect(result.rows).toHaveLength(all.length);
  });

  test.each<[string, ResultValue, string]>([
    ["sum(a) + count(*) * 2", sumOf(rows) + 2 * rowCount, "int"],
    ["count(*) / 7", rowCount / 7, "float"],
    ["count(*) % 7", rowCount % 7, "int"],
    ["count(*) / 0", null, "float"],
    ["count(*) % (count(*) - count(*))", null, "int"],
    ["count(*) * 0.25", 75, "decimal"],
    ["0.5 + count(*)", 300.5, "decimal"],
    ["CAST(count(*) / 7 AS bigint)", 43, "int"],
    ["CASE WHEN count(*) > 10 THEN 'many' ELSE 'few' END", "many", "string"],
    ["count(*) > 10 AND sum(a) IS NULL", "false", "string"],
    ["coalesce(max(b) - 1000, 0)", -997, "int"],
    ["nullif(count(*), 300)", null, "int"],
    ["CAST(count(*) + 0.50 AS text) || ' of ' || CAST(count(*) AS text)", "300.5 of 300", "string"],
    ["upper(concat('É', CAST(count(*) > 5 AS text)))", "ÉTRUE", "string"],
    ["length('𝒳' || CAST(sum(a) / 0 AS text))", null, "int"],
    ["length('𝒳' || CAST(count(*) / 8 AS text))", 5, "int"],
    ["starts_with(CAST(count(*) AS text), '30')", "true", "string"],
    ["substr('𝒳bc' || CAST(count(*) AS text), 2, 3)", "bc3", "string"],
    ["substr(CAST(count(*) AS text), count(*) - 298)", "00", "string"],
    ["trim('  ' || CAST(count(*) AS text) || ' ')", "300", "string"],
    ["pattern(CAST(count(*) AS text) || ' of `a b`')", "<*> of `<*>`", "string"],
    ["replace(CAST(count(*) AS text), '0', '$&')", "3$&$&", "string"],
    ["regexp_extract(CAST(count(*) AS text), '(\\d)(\\d)', 2)", "0", "string"],
    ["regexp_extract(CAST(count(*) AS text), 'x')", null, "string"],
    ["regexp_replace(CAST(count(*) AS text), '(\\d)0', '\\1-')", "3-0", "string"],
    ["CAST(count(*) AS text) LIKE '3%'", "true", "string"],
    ["CAST(count(*) AS text) NOT LIKE '_'", "true", "string"],
    ["CAST(count(*) AS text) ~ '^3..$'", "true", "string"],
    ["CASE WHEN CAST(count(*) AS text) LIKE '3_0' THEN sum(a) - sum(a) END", 0, "int"],
    ["extract(minute FROM max(time))", (rowCount - 1) % 60, "int"],
    ["CAST('12' || CAST(count(*) AS text) || '.9' AS bigint)", 12_301, "int"],
    ["CAST('x' || CAST(count(*) AS text) AS bigint)", null, "int"],
    ["lower(count(*) > 5)", "true", "string"],
    ["round(count(*) / 7, 2)", 42.86, "float"],
    ["floor(count(*) / -7)", -43, "float"],
    ["round(count(*) + 0.5)", 301, "int"],
    ["round(-0.25 - count(*), 1)", -300.3, "decimal"],
    ["ceil(count(*) * 0.251)", 76, "int"],
    ["floor(-0.5 - count(*))", -301, "int"],
    ["round(count(*), 3)", 300, "int"],
    ["greatest(count(*), 9223372036854775807)", 9223372036854775807n, "int"],
    ["count(*) + 9007199254740993", 9007199254741293n, "int"],
    ["abs(-count(*)) IN (300, 1)", "true", "string"],
    ["max(time) - min(time)", (rowCount - 1) * 60_000, "int"],
    ["AGGREGATE reach(a) / 2", reachOf(rows) / 2, "float"],
  ])("%s", async (expression, value, type) => {
    const result = await ask(`${expression} AS x`);
    expect(result.columns).toMatchObject([{ name: "x", type }]);
    expect(result.rows).toEqual([[value]]);
  });

  test.each<[string, string, string]>([
    ["CAST(count(*) AS text) ~ '('", "invalid-pattern", "args[1]"],
    [`CAST(count(*) AS text) LIKE '${"_".repeat(10_001)}'`, "invalid-pattern", "args[1]"],
    ["regexp_extract(CAST(count(*) AS text), '(.)', 2)", "type-mismatch", "args[2]"],
    ["regexp_extract(CAST(count(*) AS text), CAST(sum(a) AS text))", "type-mismatch", "args[1]"],
    ["substr(CAST(count(*) AS text), count(*) / 2)", "type-mismatch", "args[1]"],
    ["trim(count(*))", "type-mismatch", "args[0]"],
  ])("%s is refused", async (expression, code, place) => {
    const failed = await ask(`${expression} AS x`).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      status: 400,
      errors: [{ code, path: `calculate[0].expression.${place}` }],
    });
  });

  test("a text may grow to a megabyte, and no further", async () => {
    const twice = (text: string): string => `replace(${text}, '0', '${"0".repeat(1_000)}')`;
    const ninth = `length(${twice(twice("CAST(count(*) AS text)"))})`;
    expect((await ask(`length(${twice("CAST(count(*) AS text)")}) AS x`)).rows).toEqual([[2_001]]);
    const failed = await ask(`${ninth} AS x`).catch((error: unknown) => error);
    expect(failed).toMatchObject({ message: expect.stringContaining("textLengthMax") });
  });

  test("beyond 64 bits is a problem that names the column and its place", async () => {
    const failed = await ask("count(*) + 9223372036854775807 AS x").catch(
      (error: unknown) => error,
    );
    expect(failed).toBeInstanceOf(HadalError);
    expect(failed).toMatchObject({
      ...{ code: "value-overflow", status: 422 },
      errors: [{ path: "calculate[0].expression" }],
    });
  });

  test("order groups, and choose among them, shown or not", async () => {
    const byMean = [...all].sort(
      (x, y) => sumOf(of(y)) / of(y).length - sumOf(of(x)) / of(x).length,
    );
    const ordered = await ask(
      "service",
      "GROUP BY service ORDER BY sum(a) / count(*) DESC LIMIT 3",
    );
    expect(ordered.rows.map(([service]) => service)).toEqual(byMean.slice(0, 3));
    expect(ordered.truncated).toMatchObject({ groups: all.length - 3 });
    const large = await ask("service", "GROUP BY service HAVING sum(a) / count(*) > 1");
    const expected = all.filter((service) => sumOf(of(service)) / of(service).length > 1);
    expect(new Set(large.rows.map(([service]) => service))).toEqual(new Set(expected));
    const texts = await ask(
      "service, CASE WHEN sum(a) > 0 THEN 'up' ELSE 'down' END AS way",
      "GROUP BY service HAVING way = 'up' ORDER BY way",
    );
    expect(texts.rows.every(([service]) => sumOf(of(service as string)) > 0)).toBe(true);
  });

  test("have both sides of a comparison", async () => {
    const result = await ask(
      "count(*) * 2 AS twice",
      "COMPARE TO INTERVAL '1 hour' WITH (timeout = '20s')",
    );
    expect(namesOf(result)).toEqual(["twice", "twice.compare", "twice.delta", "twice.delta_pct"]);
    const [[twice, base, delta, percent] = []] = result.rows;
    expect([twice, base, delta]).toEqual([600, 600, 0]);
    expect(percent).toBe(0);
  });

  test("rank series over the whole range", async () => {
    const best = [...all].sort((x, y) => sumOf(of(y)) / of(y).length - sumOf(of(x)) / of(x).length);
    const result = await ask(
      "time_bucket('1h', time) AS hour, service, sum(a) / count(*) AS mean",
      "GROUP BY hour, service ORDER BY mean DESC SERIES 2",
    );
    expect(new Set(result.rows.map(([, service]) => service))).toEqual(new Set(best.slice(0, 2)));
    expect(result.truncated).toEqual({ series: all.length - 2 });
  });

  test.each<[string, Partial<Query>, string, string]>([
    ["a histogram", { aggregates: [{ fn: "histogram", column: "a", as: "h" }] }, "h", "histogram"],
    ["a text", { groupBy: ["service"], aggregates: [{ fn: "count" }] }, "service", "numbers"],
  ])("refuse %s", async (_, query, name, text) => {
    const expression = { fn: "+", args: [{ column: name }, { column: name }] } as const;
    const count = query.aggregates?.[0]?.as ?? "count";
    const wanted = { fn: "+", args: [expression, { column: count }] } as const;
    const failed = await askAll(cluster, "t", {
      ...query,
      calculate: [{ as: "x", expression: wanted }],
    }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ status: 400, message: expect.stringContaining(text) });
  });
});

describe("functions of rows", () => {
  const byReach = [...all].sort((x, y) => reachOf(of(y)) - reachOf(of(x)));

  test("order groups and choose among them", async () => {
    const result = await ask(
      "service, AGGREGATE reach(a) AS reach",
      `GROUP BY service HAVING reach > 10 ORDER BY reach DESC LIMIT 2`,
    );
    expect(result.rows).toEqual(byReach.slice(0, 2).map((one) => [one, reachOf(of(one))]));
    const texts = await ask(
      "service, AGGREGATE side(a) AS side",
      "GROUP BY service HAVING side = 'below' ORDER BY side",
    );
    expect(texts.rows.map(([service]) => service).toSorted()).toEqual(
      all.filter((one) => sumOf(of(one)) < 0).toSorted(),
    );
  });

  test("rank series by what they come to over the whole range", async () => {
    const result = await ask(
      "time_bucket('1h', time) AS hour, service, AGGREGATE reach(a) AS reach",
      "GROUP BY hour, service ORDER BY reach DESC SERIES 2",
    );
    expect(new Set(result.rows.map(([, service]) => service))).toEqual(
      new Set(byReach.slice(0, 2)),
    );
    const total = result.rows
      .filter(([, service]) => service === byReach[0])
      .reduce((sum, [, , reach]) => sum + Number(reach), 0);
    expect(total).toBe(reachOf(of(byReach[0]!)));
  });
});

/** An aggregate, or a calculation with some; `divide` is how the language writes that. */
type Write = (divide: (a: string, b: string) => string) => string;

function randomCalculation(random: SeededRandom, depth: number): Write {
  if (depth === 0) {
    const aggregates = ["count(*)", "sum(a)", "max(a)", "min(b)", "count(b)", "count(DISTINCT a)"];
    const text = random.pick(random.chance(0.25) ? ["2", "0", "-3", "100"] : aggregates);
    return () => text;
  }
  const args = Array.from({ length: 4 }, () => randomCalculation(random, depth - 1));
  const op = random.pick(["+", "-", "*"]);
  const form = random.int(0, 8);
  const rounding = random.pick(["abs(A)", "floor(A)", "ceil(A)", "round(A)", "round(A, 1)"]);
  return (divide) => {
    const [a = "", b = "", c = "", d = ""] = args.map((write) => write(divide));
    switch (form) {
      case 0:
        return divide(a, b);
      case 1:
        return `coalesce(${a}, ${b})`;
      case 2:
        return `CASE WHEN ${a} > ${b} THEN ${c} ELSE ${d} END`;
      case 3:
        return `nullif(${a}, ${b})`;
      case 4:
        return rounding.replace("A", () => a);
      default:
        return `(${a} ${op} ${b})`;
    }
  };
}

test("calculations give what they give in DuckDB", async () => {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  await connection.run("CREATE TABLE t (service VARCHAR, a BIGINT, b BIGINT)");
  const cell = (value: string | number | null): string =>
    typeof value === "string" ? `'${value}'` : String(value ?? "NULL");
  const values = rows.map(({ service, a, b }) => `(${[service, a, b].map(cell).join(", ")})`);
  await connection.run(`INSERT INTO t VALUES ${values.join(", ")}`);
  const random = createSeededRandom(seed);
  const failures: string[] = [];
  for (let round = 0; round < 12; round++) {
    const written = Array.from({ length: 6 }, () => randomCalculation(random, random.int(1, 3)));
    const itemsOf = (divide: (a: string, b: string) => string): string =>
      written.map((write, i) => `count(*) + ${write(divide)} AS x${i}`).join(", ");
    const ours = itemsOf((a, b) => `(${a} / ${b})`);
    const expressions = ours.split(/ AS x\d+(?:, )?/);
    const found = await ask(`service, ${ours}`, "GROUP BY service ORDER BY service");
    const theirs = itemsOf((a, b) => `(CAST(${a} AS DOUBLE) / nullif(${b}, 0))`);
    const reader = await connection.runAndReadAll(
      `SELECT service, ${theirs} FROM t GROUP BY service ORDER BY service NULLS LAST`,
    );
    reader.getRows().forEach((expected, i) => {
      written.forEach((_, k) => {
        const [want, have] = [expected[k + 1], found.rows[i]?.[k + 1]];
        const same =
          want === null || have === null
            ? want === have
            : Math.abs(Number(want) - Number(have)) <= 1e-9 * Math.max(1, Math.abs(Number(want)));
        if (!same) failures.push(`${expressions[k]} of ${expected[0]}: ${have}, in DuckDB ${want}`);
      });
    });
  }
  connection.closeSync();
  instance.closeSync();
  expect(failures.slice(0, 5)).toEqual([]);
}, 60_000);

test("calculations with texts give what they give in DuckDB", async () => {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  const given = all.map((one) => (one === null ? "(NULL)" : `('${one}')`));
  await connection.run("CREATE TABLE t (service VARCHAR)");
  await connection.run(`INSERT INTO t VALUES ${given.join(", ")}`);
  const written = [
    ...["substr(service, 2)", "substr(service, 0, 3)", "substr(service, 3, 2)"],
    ...["trim(concat('  ', service, ' '))", "replace(service, 'e', 'é-')"],
    ...["service LIKE 'c%t'", "service LIKE '_____'", "service LIKE '%É%'"],
    ...["coalesce(regexp_extract(service, '([a-h]+)([c-k]+)', 2), '')"],
    ...["regexp_replace(service, '[a-e]+', '<\\0>')", "length(upper(service))"],
  ];
  const shown = written.map((one) => `CASE WHEN count(*) > 0 THEN ${one} END`);
  const { rows: found } = await ask(
    `service, ${shown.map((one, i) => `${one} AS x${i}`).join(", ")}`,
    "GROUP BY service ORDER BY service",
  );
  const theirs = shown.map((one, i) => `CAST(${one} AS VARCHAR) AS x${i}`).join(", ");
  const reader = await connection.runAndReadAll(
    `SELECT service, ${theirs} FROM t GROUP BY service ORDER BY service NULLS LAST`,
  );
  const asText = (value: unknown): string | null => (value === null ? null : String(value));
  const texts = found.map(([service, ...own]) => [service, ...own.map(asText)]);
  expect(texts).toEqual(reader.getRows());
  connection.closeSync();
  instance.closeSync();
});

describe("several time buckets", () => {
  test("count rows by each of them, in the zone's clock", async () => {
    const result = await ask(
      "time_bucket('1d', time) AS day, time_bucket('1h', time) AS hour, count(*) AS n, sum(a) AS s",
      "GROUP BY day, hour ORDER BY hour TIME ZONE 'Asia/Kathmandu'",
    );
    expect(result.columns.slice(0, 2)).toMatchObject([{ type: "time" }, { type: "time" }]);
    const startOf = (time: number, step: number): number => {
      const local = time + 5.5 * 3_600_000;
      return local - (local % step) - 5.5 * 3_600_000;
    };
    const expected = new Map<string, number[]>();
    // Nepal was 5:30 ahead in 1970.
    for (const { time, a } of rows) {
      const key = `${startOf(time, 86_400_000)} ${startOf(time, 3_600_000)}`;
      const [n = 0, s = 0] = expected.get(key) ?? [];
      expected.set(key, [n + 1, s + a]);
    }
    const found = new Map(result.rows.map(([day, hour, n, , s]) => [`${day} ${hour}`, [n, s]]));
    expect(found).toEqual(expected);
  });

  test("compare with other rows", async () => {
    const groups = "time_bucket('1h', time) AS hour, time_bucket('1w', time) AS week, count(*)";
    const compared = await ask(groups, "GROUP BY hour, week COMPARE WHERE (a > 0)");
    expect(compared.rows.every(([, , all, , positive]) => Number(positive) <= Number(all))).toBe(
      true,
    );
  });
});
