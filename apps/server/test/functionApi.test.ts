import { routes } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askAll, sendRows } from "./support/allTime.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

const table = "pages";
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ leaves: 2 });
  await sendRows(cluster, table, [
    { time: 1_000, url: "https://Example.org:8080/a?b", n: 4, price: 2.5, tags: ["x", "y"] },
    { time: 2_000, url: "http://user@shop.example.com/", n: 6, price: 0.1 },
    { time: 3_000, url: "no address", n: 8 },
    { time: 4_000, n: 10 },
  ]);
}, 60_000);

afterAll(() => cluster?.stop());

describe("saved functions", () => {
  it("are saved, versioned, read and deleted", async () => {
    const { client } = cluster;
    const first = await client.saveFunction("half", { source: "(n) => n / 2" });
    expect(first).toMatchObject({ name: "half", version: 1, kind: "scalar", example: false });
    const draft = { source: "(n) => n / 2 + 1", description: "A half and one." };
    const second = await client.saveFunction("half", draft, { version: 1 });
    expect(second).toMatchObject({ version: 2, ...draft });
    const stale = client.saveFunction("half", draft, { version: 1 });
    await expect(stale).rejects.toMatchObject({ code: "version-conflict", status: 412 });
    expect(await client.function("half")).toEqual(second);
    expect(await client.functions()).toContainEqual(second);
    const response = await fetch(cluster.url + routes.function("half"));
    expect(response.headers.get("etag")).toBe('"2"');
    await client.deleteFunction("half");
    const gone = client.function("half");
    await expect(gone).rejects.toMatchObject({ code: "unknown-function", status: 404 });
    // A version is never given twice.
    expect((await client.saveFunction("half", draft)).version).toBe(3);
  });

  it("are in queries by name, and the answer has the version", async () => {
    const { client } = cluster;
    await client.saveFunction("twice", { source: "(n) => n * 2" });
    const ask = () =>
      askAll(cluster, table, {
        derive: [{ as: "d", function: "twice", args: ["n"] }],
        aggregates: [{ fn: "sum", column: "d" }],
      });
    expect(await ask()).toMatchObject({
      rows: [[56]],
      functions: [{ name: "twice", version: 1 }],
    });
    await client.saveFunction("twice", { source: "(n) => n * 20" });
    expect(await ask()).toMatchObject({
      rows: [[560]],
      functions: [{ name: "twice", version: 2 }],
    });
  });

  it("examples are there", async () => {
    const { rows } = await askAll(cluster, table, {
      derive: [{ as: "host", function: "domain", args: ["url"] }],
      groupBy: ["host"],
    });
    const counts = new Map(rows.map(([host, count]) => [host, count]));
    expect(counts).toEqual(
      new Map<unknown, unknown>([
        ["example.org", 1],
        ["shop.example.com", 1],
        [null, 2],
      ]),
    );
    const names = (await cluster.client.functions()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["covariance", "correlation", "entropy"]));
    await expect(cluster.client.deleteFunction("domain")).rejects.toMatchObject({ status: 400 });
  });

  it.each([
    ["count", "(a) => a", "name", "duplicate-name"],
    ["", "(a) => a", "name", "invalid-name"],
    ["a\u0001b", "(a) => a", "name", "invalid-name"],
    ["f", 42, "source", "type-mismatch"],
    ["f", "x".repeat(65_537), "source", "too-many"],
    ["f", "(a) => {", "source", "invalid-source"],
    ["f", "42", "source", "invalid-source"],
    ["f", "{ init() {} }", "source", "invalid-source"],
  ])("%j with %j is refused", async (name, source, path, code) => {
    if (name === "") return;
    const saved = cluster.client.saveFunction(name, { source: source as string });
    await expect(saved).rejects.toMatchObject({ status: 400, errors: [{ path, code }] });
  });

  it("names of all kinds are names", async () => {
    const { client } = cluster;
    for (const name of ["__proto__", "constructor", "run", "ä/b c", "toString"]) {
      await client.saveFunction(name, { source: "() => 7" });
      expect(await client.function(name)).toMatchObject({ name, version: 1 });
      const { rows } = await askAll(cluster, table, {
        derive: [{ as: "d", function: name }],
        groupBy: ["d"],
      });
      expect(rows[0]?.[0]).toBe(7);
      await client.deleteFunction(name);
    }
    const unknown = askAll(cluster, table, { derive: [{ as: "d", function: "twise" }] });
    await expect(unknown).rejects.toMatchObject({
      code: "unknown-function",
      message: expect.stringContaining("twice"),
    });
    const absent = askAll(cluster, table, { derive: [{ as: "d", function: "cbrt" }] });
    await expect(absent).rejects.toThrow("Math.cbrt(row.column)");
    const aggregate = askAll(cluster, table, {
      derive: [{ as: "d", function: "covariance", args: ["n", "n"] }],
    });
    await expect(aggregate).rejects.toThrow("AGGREGATE covariance");
  });
});

describe("a trial", () => {
  it("answers each row's value or error with its place, and what was logged", async () => {
    const trial = await cluster.client.tryFunction({
      source: "(row) => {\n  console.log('n is', row.n, { a: 1 });\n  return row.url.length;\n}",
      rows: [{ n: 1, url: "abc" }, { n: 2 }],
    });
    expect(trial).toMatchObject({
      kind: "scalar",
      results: [{ value: 3 }, { error: { line: 3, column: 17 } }],
      log: ['n is 1 {"a":1}', 'n is 2 {"a":1}'],
    });
    expect(trial.elapsedMs).toBeGreaterThanOrEqual(0);
  });

  it("takes the newest rows of a table", async () => {
    const trial = await cluster.client.tryFunction({
      source: "(row) => [row.n, row.price ?? '-', row.tags?.join() ?? '-'].join(' ')",
      table,
      limit: 4,
    });
    expect(trial.results).toEqual(
      ["10 - -", "8 - -", "6 0.1 -", "4 2.5 x,y"].map((value) => ({ value })),
    );
  });

  it("aggregates", async () => {
    const { source } = await cluster.client.function("covariance");
    const trial = await cluster.client.tryFunction({ source, table, args: ["n", "price"] });
    expect(trial).toMatchObject({ kind: "aggregate", results: [{ value: -1.2000000000000002 }] });
  });

  it("is stopped at its limits", async () => {
    const endless = cluster.client.tryFunction({ source: "() => { for (;;); }", rows: [{}] });
    await expect(endless).rejects.toMatchObject({
      code: "function-limit",
      message: expect.stringContaining("functionCpuMs"),
    });
    const flood = await cluster.client.tryFunction({
      source: "() => { for (let i = 0; i < 1e4; i++) console.log('x'.repeat(100)) }",
      rows: [{}],
    });
    expect(flood.log.join("").length).toBeLessThan(17_000);
    expect(flood.log.at(-1)).toContain("functionLogUnitsMax");
  });

  it.each([
    [{ source: "() => 1" }, "rows"],
    [{ source: "() => 1", rows: [], table: "t" }, "rows"],
    [{ source: "() => 1", rows: [7] }, "rows[0]"],
    [{ rows: [] }, "source"],
    [{ source: "() => 1", table, limit: 0 }, "limit"],
    [{ source: "{ init() {}, update() {}, merge() {}, finalize() {} }", table }, "args"],
  ])("%j is refused", async (trial, path) => {
    const tried = cluster.client.tryFunction(trial as never);
    await expect(tried).rejects.toMatchObject({ status: 400, errors: [{ path }] });
  });
});

it("survives a restart", async () => {
  const draft = { source: "(n) => n - 1" };
  const saved = await cluster.client.saveFunction("kept", draft);
  const { dataDir } = cluster;
  const { FunctionDocuments } = await import("../src/registry/document/functionDocuments.js");
  const { openRegistry } = await import("../src/registry/openRegistry.js");
  const registry = await openRegistry({ dataDir, databaseUrl: null, warn: expect.fail });
  const documents = await FunctionDocuments.open(registry, []);
  expect(documents.all.get("kept")).toEqual(saved);
  await registry.close();
});
