import { apiBase, HadalError, type TableDetail } from "@hadal/sdk";
import { tableFromIPC } from "apache-arrow";
import { describe, expect, it } from "vitest";
import { allTime } from "../../base/row/allTime.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import { type Ask, query, resultOf, untilCancelled, withApi } from "../testing/startApi.js";

describe("POST query", () => {
  const ask = async () => resultOf([[1n], [2n ** 63n - 1n], [-(2n ** 60n)], [null]]);
  const post = { method: "POST", url: `${apiBase}/query`, payload: { query } } as const;

  it("answers JSON with unsafe integers as texts, an id and the completeness", () =>
    withApi({ ask }, async ({ app }) => {
      const reply = await app.inject({ ...post, headers: { "x-query-id": "mine" } });
      expect(reply.statusCode).toBe(200);
      expect(reply.json().rows).toEqual([
        [1],
        ["9223372036854775807"],
        ["-1152921504606846976"],
        [null],
      ]);
      expect(reply.json().completeness.leaves.missing).toEqual(["leaf-2"]);
      expect(reply.headers).toMatchObject({
        "content-type": "application/json; charset=utf-8",
        "x-query-id": "mine",
        "x-hadal-completeness": "0.75; rows 3/4; leaves 1/2; missing leaf-2",
      });
    }));

  it("answers NDJSON and CSV with the completeness at their end", () => {
    const rows = [
      ['a"b, c', null],
      ["", "x"],
    ];
    const columns = [
      { name: "__proto__", type: "string", role: "group" },
      { name: "n,m", type: "string", role: "aggregate" },
    ] as const;
    const parts = {
      ...{ truncated: { groups: 2 }, lowerBounds: ["n,m"] },
      coverage: [[60_000, 0.5, "missing-leaves"]] as const,
    };
    return withApi({ ask: async () => resultOf(rows, { columns, ...parts }) }, async ({ app }) => {
      const lines = await app.inject({ ...post, headers: { accept: "application/x-ndjson" } });
      const [first, second, last, end] = lines.body.split("\n");
      expect([first, second, end]).toEqual([
        '{"__proto__":"a\\"b, c","n,m":null}',
        '{"__proto__":"","n,m":"x"}',
        "",
      ]);
      expect(JSON.parse(last!)).toMatchObject({
        completeness: { fraction: 0.75 },
        ...parts,
      });
      const csv = await app.inject({ ...post, headers: { accept: "text/html;q=0.9, text/csv" } });
      expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8");
      expect(csv.body).toBe(
        '__proto__,"n,m"\r\n"a""b, c",\r\n"",x\r\n# completeness: 0.75; rows 3/4; leaves 1/2; missing leaf-2\r\n# truncated: {"groups":2}\r\n# lowerBounds: ["n,m"]\r\n# coverage: [[60000,0.5,"missing-leaves"]]\r\n',
      );
    });
  });

  it("answers an Arrow stream", () =>
    withApi({ ask }, async ({ app }) => {
      const accept = "application/vnd.apache.arrow.stream";
      const reply = await app.inject({ ...post, headers: { accept } });
      expect(reply.headers["content-type"]).toBe(accept);
      expect(reply.headers["x-hadal-completeness"]).toContain("missing leaf-2");
      const table = tableFromIPC(reply.rawPayload);
      expect([...table.getChildAt(0)!]).toEqual([1n, 2n ** 63n - 1n, -(2n ** 60n), null]);
      const completeness = JSON.parse(table.schema.metadata.get("hadal.completeness")!);
      expect(completeness.leaves.missing).toEqual(["leaf-2"]);
    }));

  it.each<[string, object, string, object]>([
    [
      "SQL without a table",
      {},
      '{"sql":"SELECT 1"}',
      { status: 400, code: "invalid-sql", errors: [{ line: 1, column: 9, code: "syntax" }] },
    ],
    ["SQL that is no text", {}, '{"sql":7}', { code: "bad-request", errors: [{ path: "sql" }] }],
    [
      "two queries",
      {},
      '{"sql":"","query":{}}',
      { code: "bad-request", errors: [{ path: "sql" }] },
    ],
    [
      "a format no one prints",
      { accept: "text/html" },
      "{}",
      { status: 406, code: "not-acceptable" },
    ],
    [
      "a body that is not JSON",
      {},
      '{\n "query": {]}',
      { code: "bad-request", errors: [{ line: 2, column: 12 }] },
    ],
    ["a list", {}, "[]", { code: "bad-request" }],
    ["no body", {}, "", { code: "bad-request" }],
    ["a body without query", {}, "{}", { code: "bad-request", errors: [{ path: "query" }] }],
    [
      "a query of 2 MB",
      {},
      `{"query":"${"x".repeat(2e6)}"}`,
      { status: 413, code: "body-too-large" },
    ],
    ["a strange id", { "x-query-id": "a b" }, "{}", { code: "bad-request" }],
  ])("refuses %s", (_what, headers, payload, problem) =>
    withApi({}, async ({ app, logged }) => {
      const reply = await app.inject({
        ...post,
        payload,
        headers: { "content-type": "application/json", ...headers },
      });
      expect(reply.json()).toMatchObject(problem);
      expect(logged).toEqual([]);
    }),
  );

  it("runs SQL, and reports the engine's problems by line and column", async () => {
    const sql = "SELECT sum(bites)\nFROM t\nWHERE time >= 0 AND time < 10";
    const asked: unknown[] = [];
    const ask: Ask = async (query) => {
      asked.push(query);
      throw new HadalError("unknown-column", { table: "t", column: "bites", nearest: "" }, [
        { path: "aggregates[0].column", code: "unknown-column", detail: "no bites" },
      ]);
    };
    await withApi({ ask }, async ({ app }) => {
      const reply = await app.inject({ ...post, payload: { sql } });
      expect(reply.statusCode).toBe(400);
      expect(reply.json()).toMatchObject({
        code: "unknown-column",
        errors: [{ line: 1, column: 12, code: "unknown-column", detail: "no bites" }],
      });
      expect(reply.json().errors[0]).not.toHaveProperty("path");
    });
    expect(asked).toEqual([
      { table: "t", from: 0, to: 10, aggregates: [{ fn: "sum", column: "bites" }] },
    ]);
  });

  it("passes on the engine's problems, and hides what only a bug explains", async () => {
    const problem = new HadalError("unknown-column", { table: "t", column: "x", nearest: "" });
    await withApi({ ask: () => Promise.reject(problem) }, async ({ app }) => {
      expect((await app.inject(post)).json()).toEqual(
        JSON.parse(JSON.stringify(problem.toProblem())),
      );
    });
    const bug = () => Promise.reject(new TypeError("secret at /home/hadal"));
    await withApi({ ask: bug }, async ({ app, logged }) => {
      const reply = await app.inject(post);
      expect(reply.json()).toMatchObject({ status: 500, code: "internal" });
      expect(reply.body).not.toContain("secret");
      expect(logged).toHaveLength(1);
      expect(reply.json().detail).toContain(logged[0]!.replace("problem ", ""));
    });
  });

  it("is cancelled by DELETE and by a client that goes away", () => {
    let asked = 0;
    let cancelled = 0;
    let onCancel = () => {};
    const slow = async (_query: unknown, { signal }: { signal: StopSignal }) => {
      asked++;
      return untilCancelled(signal).finally(() => {
        cancelled++;
        onCancel();
      });
    };
    return withApi({ ask: slow }, async ({ app, listen }) => {
      const url = await listen();
      const answer = fetch(`${url}${apiBase}/query`, {
        method: "POST",
        headers: { "x-query-id": "q1" },
        body: JSON.stringify({ query }),
      });
      while (asked < 1) await new Promise((resolve) => setImmediate(resolve));
      const status = (await app.inject({ url: `${apiBase}/status` })).json();
      expect(status.queries).toMatchObject([{ id: "q1", table: "t" }]);
      expect((await app.inject({ method: "DELETE", url: `${apiBase}/query/q1` })).statusCode).toBe(
        204,
      );
      expect(await (await answer).json()).toMatchObject({ code: "cancelled" });
      expect(
        (await app.inject({ method: "DELETE", url: `${apiBase}/query/q1` })).json(),
      ).toMatchObject({ code: "unknown-query" });

      const leave = new AbortController();
      const second = fetch(`${url}${apiBase}/query`, {
        method: "POST",
        signal: leave.signal,
        body: JSON.stringify({ query }),
      });
      while (asked < 2) await new Promise((resolve) => setImmediate(resolve));
      const gone = new Promise<void>((resolve) => {
        onCancel = resolve;
      });
      leave.abort();
      await expect(second).rejects.toThrow();
      await gone;
      expect(cancelled).toBe(2);
    });
  });
});

describe("tables", () => {
  const detail: TableDetail = {
    name: "t",
    rows: 3,
    bytes: 100,
    bytesPerRow: 33,
    segments: 1,
    bookBytes: 0,
    fromMs: 5,
    toMs: 9,
    columns: [
      { name: "s", type: "string", decimals: 0, rows: 3, bytes: 1, compressionRatio: 2 },
      { name: "n", type: "int", decimals: 0, rows: 3, bytes: 1, compressionRatio: 2 },
      { name: "v", type: "vector", decimals: 0, rows: 3, bytes: 1, compressionRatio: 2 },
    ],
    compressionRatio: 2,
    retention: { maxAgeMs: null, maxBytes: null },
    thinning: [],
    columnSettings: [],
  };
  const deps = { tables: async () => [detail], table: async () => detail };

  it("are listed, and their values counted by a query", () => {
    const asked: unknown[] = [];
    const ask = async (asking: unknown) => {
      asked.push(asking);
      const columns = [
        { name: "s", type: "string", role: "group" },
        { name: "count", type: "int", role: "aggregate" },
        { name: "count.raw", type: "int", role: "aggregate" },
      ] as const;
      return resultOf(
        [
          ["a.b", 7, 7],
          [null, 2n, 2n],
        ],
        { columns },
      );
    };
    return withApi({ ask, deps }, async ({ app }) => {
      expect((await app.inject({ url: `${apiBase}/tables` })).json()).toEqual([detail]);
      expect((await app.inject({ url: `${apiBase}/tables/t` })).json()).toEqual(detail);
      const url = `${apiBase}/tables/t/columns/s/values`;
      const all = await app.inject({ url });
      expect(all.json()).toEqual([
        { value: "a.b", count: 7 },
        { value: null, count: 2 },
      ]);
      expect(all.headers["x-hadal-completeness"]).toMatch(/^0.75;/);
      const some = await app.inject({ url: `${url}?prefix=a.&from=-3h&to=now&limit=5` });
      expect(some.json()).toEqual([{ value: "a.b", count: 7 }]);
      expect(asked).toMatchObject([
        { table: "t", ...allTime, filter: [], groupBy: ["s"], limit: 100 },
        { from: "-3h", to: "now", filter: [{ column: "s", op: "~", value: "^a\\." }], limit: 5 },
      ]);
    });
  });

  it.each([
    "s/values?limit=0",
    "s/values?limit=x",
    "s/values?limit=1e3",
    "s/values?limt=5",
    "time/values",
    "s/values?prefix=a&prefix=b",
  ])("refuses %s", (path) =>
    withApi({ deps }, async ({ app }) => {
      const reply = await app.inject({ url: `${apiBase}/tables/t/columns/${path}` });
      expect(reply.statusCode).toBe(400);
    }),
  );
});
