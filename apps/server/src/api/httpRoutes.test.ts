import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { apiBase, createClient, HadalError, type TableDetail } from "@hadal/sdk";
import { describe, expect, it } from "vitest";
import { rowsText, withFolder } from "../ingest/testing/gateway.js";
import { query, resultOf, untilCancelled, withApi } from "./testing/startApi.js";

const rowsUrl = `${apiBase}/tables/t/rows`;
const ndjson = { "content-type": "application/x-ndjson" };

describe("POST rows", () => {
  it("answers as the contract says", () =>
    withApi({}, async ({ app, leaf }) => {
      const reply = await app.inject({
        method: "POST",
        url: `${rowsUrl}?ack=received`,
        headers: { ...ndjson, "idempotency-key": "k", "content-encoding": "gzip" },
        payload: gzipSync(`${rowsText(2)}\n{"time":"yesterday"}`),
      });
      expect(reply.statusCode).toBe(200);
      expect(reply.json()).toEqual({
        batchId: "k",
        accepted: 2,
        rejected: 1,
        problems: [{ line: 3, code: "time-invalid", detail: expect.any(String) }],
        ack: "received",
      });
      expect(leaf.rowCount("t")).toBe(2);
    }));

  it("takes names of any Unicode and of 255 bytes", () =>
    withApi({}, async ({ app, leaf }) => {
      for (const name of ["__proto__", "a/b c%?#", "😀".repeat(63)]) {
        const url = `${apiBase}/tables/${encodeURIComponent(name)}/rows?time=at`;
        const reply = await app.inject({
          method: "POST",
          url,
          headers: ndjson,
          payload: '{"at":1}',
        });
        expect(reply.statusCode).toBe(200);
        expect(leaf.rowCount(name)).toBe(1);
      }
    }));

  it.each<[string, object, string | Buffer, number, string]>([
    ["no content type", { headers: {} }, rowsText(1), 415, "unsupported-media-type"],
    [
      "an unknown content type",
      { headers: { "content-type": "text/html" } },
      "x",
      415,
      "unsupported-media-type",
    ],
    [
      "an unknown encoding",
      { headers: { ...ndjson, "content-encoding": "br" } },
      "x",
      415,
      "unsupported-media-type",
    ],
    [
      "broken gzip",
      { headers: { ...ndjson, "content-encoding": "gzip" } },
      "x",
      400,
      "body-undecodable",
    ],
    [
      "a bomb",
      { headers: { ...ndjson, "content-encoding": "gzip" } },
      gzipSync(Buffer.alloc(80_000_000)),
      413,
      "body-too-large",
    ],
    ["no rows", { headers: ndjson }, "", 400, "bad-request"],
    ["only bad rows", { headers: ndjson }, "{}\n[", 400, "rows-rejected"],
    [
      "an unknown parameter",
      { url: `${rowsUrl}?tiem=at`, headers: ndjson },
      "{}",
      400,
      "bad-request",
    ],
    ["an unknown ack", { url: `${rowsUrl}?ack=maybe`, headers: ndjson }, "{}", 400, "bad-request"],
    [
      "no name for the time",
      { url: `${rowsUrl}?time=`, headers: ndjson },
      "{}",
      400,
      "bad-request",
    ],
    [
      "an escape that is none",
      { url: `${apiBase}/tables/%ZZ/rows`, headers: ndjson },
      "{}",
      400,
      "bad-request",
    ],
    [
      "a name with a control character",
      { url: `${apiBase}/tables/a%00/rows`, headers: ndjson },
      "{}",
      400,
      "invalid-name",
    ],
    [
      "a name of 256 bytes",
      { url: `${apiBase}/tables/${"n".repeat(256)}/rows`, headers: ndjson },
      "{}",
      400,
      "invalid-name",
    ],
  ])("refuses %s as a problem and stores nothing", (_what, options, payload, status, code) =>
    withApi({}, async ({ app, leaf, logged }) => {
      const reply = await app.inject({ method: "POST", url: rowsUrl, payload, ...options });
      expect([reply.statusCode, reply.headers["content-type"]]).toEqual([
        status,
        "application/problem+json",
      ]);
      expect(reply.json()).toMatchObject({ status, code, type: `urn:hadal:problem:${code}` });
      expect(reply.body).not.toMatch(/ at .*\.[jt]s/);
      expect([leaf.appends, logged]).toEqual([0, []]);
    }),
  );

  it("tells where each refused row stands", () =>
    withApi({}, async ({ app }) => {
      const reply = await app.inject({
        method: "POST",
        url: rowsUrl,
        headers: ndjson,
        payload: '{"x":1}\n{"a":tru}',
      });
      expect(reply.json().errors).toEqual([
        { line: 1, code: "time-missing", detail: "The row has no `time`." },
        { line: 2, column: 6, code: "invalid-json", detail: expect.stringContaining("Column 6") },
      ]);
    }));

  it("says 409 to the same key with other bytes, and when to come again after 503", () =>
    withApi({}, async ({ app, leaf }) => {
      const send = (payload: string) =>
        app.inject({
          method: "POST",
          url: rowsUrl,
          headers: { ...ndjson, "idempotency-key": "k" },
          payload,
        });
      expect((await send(rowsText(1))).statusCode).toBe(200);
      expect((await send(rowsText(2))).json()).toMatchObject({
        status: 409,
        code: "idempotency-conflict",
      });
      leaf.state = "dead";
      const reply = await app.inject({
        method: "POST",
        url: rowsUrl,
        headers: ndjson,
        payload: rowsText(1),
      });
      expect([reply.statusCode, reply.headers["retry-after"]]).toEqual([503, "1"]);
    }));

  it("refuses a body over the bound by its length, and by its bytes when it does not tell", () =>
    withApi({}, async ({ listen, leaf }) => {
      const url = new URL((await listen()) + rowsUrl);
      const upload = async (headers: Record<string, string | number>) => {
        const request = httpRequest(url, { method: "POST", headers: { ...ndjson, ...headers } });
        const response = once(request, "response") as Promise<[IncomingMessage]>;
        const piece = Buffer.alloc(1 << 20, 0x20);
        let sent = 0;
        const more = (): void => {
          while (sent++ < 70) if (!request.write(piece)) return void request.once("drain", more);
        };
        more();
        const [{ statusCode }] = await response;
        request.destroy();
        return statusCode;
      };
      expect(await upload({ "content-length": 70 << 20 })).toBe(413);
      expect(await upload({})).toBe(413);
      expect(leaf.appends).toBe(0);
    }));

  it("stores nothing of a request whose client goes away in the middle", () =>
    withApi({}, async ({ listen, leaf, app, logged }) => {
      const { port } = new URL(await listen());
      const socket = connect(Number(port), "127.0.0.1");
      socket.write(
        `POST ${rowsUrl} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\nContent-Length: 1000\r\n\r\n{"time":1}\n`,
      );
      const answered = new Promise<void>((resolve) =>
        app.server.once("request", (_, response) => response.once("close", resolve)),
      );
      await new Promise((resolve) => app.server.once("request", resolve));
      socket.destroy();
      await answered;
      expect([leaf.appends, logged]).toEqual([0, []]);
    }));
});

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
    return withApi(
      { ask: async () => resultOf(rows, { columns, truncated: { groups: 2 } }) },
      async ({ app }) => {
        const lines = await app.inject({ ...post, headers: { accept: "application/x-ndjson" } });
        const [first, second, last, end] = lines.body.split("\n");
        expect([first, second, end]).toEqual([
          '{"__proto__":"a\\"b, c","n,m":null}',
          '{"__proto__":"","n,m":"x"}',
          "",
        ]);
        expect(JSON.parse(last!)).toMatchObject({
          completeness: { fraction: 0.75 },
          truncated: { groups: 2 },
        });
        const csv = await app.inject({ ...post, headers: { accept: "text/html;q=0.9, text/csv" } });
        expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8");
        expect(csv.body).toBe(
          '__proto__,"n,m"\r\n"a""b, c",\r\n"",x\r\n# completeness: 0.75; rows 3/4; leaves 1/2; missing leaf-2\r\n# truncated: {"groups":2}\r\n',
        );
      },
    );
  });

  it.each<[string, object, string, object]>([
    ["SQL", {}, '{"sql":"SELECT 1"}', { status: 400, code: "unsupported" }],
    [
      "Arrow",
      { accept: "application/vnd.apache.arrow.stream" },
      "{}",
      { status: 400, code: "unsupported" },
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
    const slow = async (_query: unknown, { signal }: { signal: AbortSignal }) => {
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
    fromMs: 5,
    toMs: 9,
    columns: [
      { name: "s", type: "string", decimals: 0, bytes: 1 },
      { name: "n", type: "int", decimals: 0, bytes: 1 },
      { name: "v", type: "vector", decimals: 0, bytes: 1 },
    ],
    compressionRatio: 2,
    retention: { maxAgeMs: null, maxBytes: null },
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
        { table: "t", from: 5, to: 10, filter: [], groupBy: ["s"], limit: 100 },
        { from: "-3h", to: "now", filter: [{ column: "s", op: "~", value: "^a\\." }], limit: 5 },
      ]);
    });
  });

  it.each([
    "s/values?limit=0",
    "s/values?limit=x",
    "v/values",
    "time/values",
    "s/values?prefix=a&prefix=b",
  ])("refuses %s", (path) =>
    withApi({ deps }, async ({ app }) => {
      const reply = await app.inject({ url: `${apiBase}/tables/t/columns/${path}` });
      expect(reply.statusCode).toBe(400);
    }),
  );
});

describe("origin and host", () => {
  const send = (headers: Record<string, string>) => ({
    method: "POST" as const,
    url: rowsUrl,
    headers: { ...ndjson, ...headers },
    payload: rowsText(1),
  });
  it.each([
    { host: "127.0.0.1:7400" },
    { host: "localhost" },
    { host: "[::1]:7400" },
    { host: "localhost:7400", origin: "http://localhost:7400" },
    { host: "hadal.example", origin: "https://hadal.example" },
  ])("%j passes", (headers) =>
    withApi({ settings: { hostsAllowed: ["hadal.example"] } }, async ({ app }) => {
      expect((await app.inject(send(headers))).statusCode).toBe(200);
    }),
  );
  it.each([
    { host: "evil.example" },
    { host: "localhost:7400", origin: "http://evil.example" },
    { host: "localhost:7400", origin: "http://localhost:8000" },
    { host: "localhost:7400", origin: "null" },
    { host: "127.0.0.1.evil.example" },
    { host: ":80" },
  ])("%j is refused", (headers) =>
    withApi({}, async ({ app, leaf }) => {
      const reply = await app.inject(send(headers));
      expect(reply.json()).toMatchObject({ status: 403, code: "origin-refused" });
      expect(leaf.appends).toBe(0);
    }),
  );
});

describe("the rest", () => {
  it("tells status, health and metrics", () => {
    let reason: string | null = "leaves are starting";
    return withApi(
      { deps: { unready: () => reason, metrics: async () => "other_metric 1\n" } },
      async ({ app }) => {
        expect((await app.inject({ url: "/healthz" })).statusCode).toBe(200);
        expect((await app.inject({ url: "/readyz" })).json()).toMatchObject({
          status: 503,
          detail: reason,
        });
        reason = null;
        expect((await app.inject({ url: "/readyz" })).statusCode).toBe(200);
        await app.inject({
          method: "POST",
          url: rowsUrl,
          headers: ndjson,
          payload: `${rowsText(2)}\nx`,
        });
        const status = (await app.inject({ url: `${apiBase}/status` })).json();
        expect(status).toEqual({
          members: [],
          queries: [],
          ingest: { rowsAccepted: 2, rowsRejected: 1, batches: 1 },
        });
        const metrics = (await app.inject({ url: "/metrics" })).body;
        expect(metrics).toMatch(/^hadal_rows_accepted_total 2$/m);
        expect(metrics).toMatch(
          /hadal_http_request_seconds_count\{[^}]*route="\/api\/v1\/tables\/:table\/rows",status="200"\} 1/,
        );
        expect(metrics).toMatch(/^other_metric 1$/m);
      },
    );
  });

  it("has a problem for unknown paths, and security headers", () =>
    withApi({}, async ({ app }) => {
      for (const [method, url] of [
        ["GET", "/nope"],
        ["GET", `${apiBase}/nope`],
        ["PUT", rowsUrl],
      ] as const) {
        const reply = await app.inject({ method, url, headers: { accept: "text/html" } });
        expect(reply.json()).toMatchObject({ status: 404, code: "not-found" });
        expect(reply.headers["content-security-policy"]).toMatch(/default-src 'self'/);
        expect(reply.headers["x-content-type-options"]).toBe("nosniff");
      }
    }));

  it("serves the web app: assets for ever, the page for every screen, nothing beside its folder", () =>
    withFolder(async (webFolder) => {
      await mkdir(join(webFolder, "assets"));
      await writeFile(join(webFolder, "index.html"), "<p>page");
      await writeFile(join(webFolder, "assets", "app-1a2b.js"), "code()");
      await withApi({ settings: { webFolder } }, async ({ app }) => {
        const get = (url: string, accept = "text/html") => app.inject({ url, headers: { accept } });
        for (const url of ["/", "/explore?q=1", "/index.html"]) {
          const page = await get(url);
          expect([page.statusCode, page.body, page.headers["cache-control"]]).toEqual([
            200,
            "<p>page",
            "no-cache",
          ]);
        }
        const asset = await get("/assets/app-1a2b.js", "*/*");
        expect([asset.body, asset.headers["cache-control"]]).toEqual([
          "code()",
          "public, max-age=31536000, immutable",
        ]);
        for (const url of ["/assets/gone.js", `${apiBase}/nope`, "/favicon.ico"]) {
          expect((await get(url)).statusCode).toBeGreaterThanOrEqual(400);
        }
        expect((await get("/..%2f..%2fetc/passwd")).body).toBe("<p>page");
        expect((await get("/explore", "application/json")).json()).toMatchObject({
          code: "not-found",
        });
      });
    }));

  it("works with the SDK as it is", () =>
    withApi({ ask: async () => resultOf([[2n ** 60n]]) }, async ({ listen, leaf }) => {
      const client = createClient({ url: await listen() });
      const ingest = client.ingest("t", { batchRows: 10 });
      for (let i = 0; i < 25; i++) await ingest.push({ time: i, big: 2n ** 60n });
      expect(await ingest.close()).toEqual({ accepted: 25, rejected: 0, lost: 0 });
      expect(leaf.rowCount("t")).toBe(25);
      expect((await client.query(query)).rows).toEqual([[2n ** 60n]]);
      expect(await client.tables()).toEqual([]);
      await expect(client.table("x")).rejects.toMatchObject({ code: "unknown-table" });
      client.close();
    }));
});
