import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import type { IngestReply, Problem } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Cluster } from "./support/startCluster.js";
import { spawnHadal, startCluster } from "./support/startCluster.js";

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 2 });
  await send("visits", '{"time":1000,"service":"checkout","latency_us":5}\n');
});
afterAll(() => cluster?.stop());

const ndjson = "application/x-ndjson";

async function send(
  table: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: IngestReply & Problem }> {
  const response = await fetch(`${cluster.url}/api/v1/tables/${table}/rows?timeUnit=ms`, {
    method: "POST",
    headers: { "content-type": ndjson, ...headers },
    body,
  });
  return { status: response.status, body: (await response.json()) as IngestReply & Problem };
}

async function ask(query: unknown): Promise<{ status: number; problem: Problem; type: string }> {
  const response = await fetch(`${cluster.url}/api/v1/query`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof query === "string" ? query : JSON.stringify({ query }),
  });
  const type = response.headers.get("content-type") ?? "";
  return { status: response.status, problem: (await response.json()) as Problem, type };
}

async function rowCount(table: string): Promise<number> {
  const query = { table, from: 0, to: 10_000_000, exact: true, timeoutMs: 20_000 };
  const result = await cluster.client.query(query);
  return Number(result.rows[0]?.[0]);
}

describe("rows", () => {
  test.each([
    ["without time", '{"service":"a"}', "time-missing"],
    ["not JSON", '{"time":1,', "invalid-json"],
    ["not an object", "[1,2]", "row-not-object"],
    ["a time that is none", '{"time":"yesterday"}', "time-invalid"],
    ["a time without zone", '{"time":"2024-01-01T00:00:00"}', "time-invalid"],
    ["a sample rate below 1", '{"time":1,"sample_rate":0}', "sample-rate-invalid"],
    ["an integer beyond 64 bits", '{"time":1,"n":9223372036854775808}', "number-out-of-range"],
  ])("%s: refused with its line, its neighbours kept", async (name, line, code) => {
    const table = `bad_${name.replaceAll(/\W/g, "_")}`;
    const reply = await send(table, `{"time":1}\n${line}\n{"time":2}\n`);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ accepted: 2, rejected: 1 });
    expect(reply.body.problems).toMatchObject([{ line: 2, code }]);
    expect(await rowCount(table)).toBe(2);
  });

  test("a line that is not UTF-8: refused alone", async () => {
    const good = Buffer.from('{"time":1,"s":"é"}\n');
    const bad = Buffer.from([...Buffer.from('{"time":2,"s":"'), 0xff, ...Buffer.from('"}\n')]);
    const reply = await send("latin", new Uint8Array(Buffer.concat([good, bad, good])));
    expect(reply).toMatchObject({ status: 200, body: { accepted: 2, rejected: 1 } });
    expect(reply.body.problems).toMatchObject([{ line: 2, code: "invalid-unicode" }]);
    expect(await rowCount("latin")).toBe(2);
  });

  test("no good row at all: 400, and no table", async () => {
    const reply = await send("never_made", '{"a":1}\nnonsense\n');
    expect(reply).toMatchObject({ status: 400, body: { code: "rows-rejected" } });
    expect(reply.body.errors).toMatchObject([{ line: 1 }, { line: 2 }]);
    const tables = await cluster.client.tables();
    expect(tables.map((table) => table.name)).not.toContain("never_made");
  });

  test("UTF-16 and an unknown charset", async () => {
    const utf16 = new Uint8Array(Buffer.from('\uFEFF{"time":1}', "utf16le"));
    expect(await send("utf16", utf16)).toMatchObject({
      status: 400,
      body: { code: "body-undecodable", errors: [{ line: 1, code: "body-undecodable" }] },
    });
    const latin1 = { "content-type": `${ndjson}; charset=iso-8859-1` };
    expect(await send("latin1", '{"time":1}', latin1)).toMatchObject({
      status: 415,
      body: { code: "unsupported-media-type" },
    });
  });

  test.each([ndjson, "application/json", "text/csv"])("an empty body of %s", async (type) => {
    expect(await send("empty", "", { "content-type": type })).toMatchObject({
      status: 400,
      body: { code: "bad-request", errors: [{ line: 1, code: "body-empty" }] },
    });
  });

  test.each([
    ['{"time":1,"a":1}}', 1],
    ['[{"time":1},\n{"time":2}]\n]', 3],
    ['{"time":1} trailing', 1],
  ])("text after the end of a JSON document, %s: nothing of it is stored", async (body, line) => {
    const reply = await send("trailing", body, { "content-type": "application/json" });
    expect(reply).toMatchObject({
      status: 400,
      body: { code: "bad-request", errors: [{ line, code: "invalid-json" }] },
    });
    const tables = await cluster.client.tables();
    expect(tables.map((table) => table.name)).not.toContain("trailing");
  });

  test.each([
    ["a media type", { "content-type": "application/pdf" }, 415, "unsupported-media-type"],
    ["an encoding", { "content-encoding": "compress" }, 415, "unsupported-media-type"],
    ["bytes that are not gzip", { "content-encoding": "gzip" }, 400, "body-undecodable"],
  ])("%s that cannot be read", async (_, headers, status, code) => {
    expect(await send("unread", '{"time":1}\n', headers)).toMatchObject({ status, body: { code } });
  });

  test("gzip cut short: nothing of it is stored", async () => {
    const whole = gzipSync(Buffer.from('{"time":1}\n'.repeat(5000)));
    const reply = await send("cut_short", new Uint8Array(whole.subarray(0, whole.length - 20)), {
      "content-encoding": "gzip",
    });
    expect(reply).toMatchObject({ status: 400, body: { code: "body-undecodable" } });
    const tables = await cluster.client.tables();
    expect(tables.map((table) => table.name)).not.toContain("cut_short");
  });

  test("a body too large, as sent and after gunzip", async () => {
    const line = `{"time":1,"s":"${"x".repeat(1000)}"}\n`;
    const large = Buffer.from(line.repeat(70_000));
    const plain = await sendUntilRefused("too_large", large);
    expect(plain).toMatchObject({ status: 413, code: "body-too-large" });
    const bomb = await send("too_large", new Uint8Array(gzipSync(large)), {
      "content-encoding": "gzip",
    });
    expect(bomb).toMatchObject({ status: 413, body: { code: "body-too-large" } });
    expect(bomb.body.detail).toMatch(/\d{4,} bytes/);
    const tables = await cluster.client.tables();
    expect(tables.map((table) => table.name)).not.toContain("too_large");
  });

  test("the same Idempotency-Key with other bytes: 409; with the same: the same answer, one copy", async () => {
    const key = { "idempotency-key": "one-key" };
    const first = await send("once", '{"time":1}\n', key);
    const again = await send("once", '{"time":1}\n', key);
    expect(again).toEqual(first);
    expect(await rowCount("once")).toBe(1);
    expect(await send("once", '{"time":2}\n', key)).toMatchObject({
      status: 409,
      body: { code: "idempotency-conflict" },
    });
  });

  test("a name that is none", async () => {
    const reply = await send("a%00b", '{"time":1}\n');
    expect(reply).toMatchObject({ status: 400, body: { code: "invalid-name" } });
  });
});

/** A server may refuse, and close, before it has read everything: then nothing more is written. */
async function sendUntilRefused(
  table: string,
  body: Buffer,
): Promise<{ status: number; code: string }> {
  const url = `${cluster.url}/api/v1/tables/${table}/rows?timeUnit=ms`;
  const sent = request(url, { method: "POST", headers: { "content-type": ndjson } });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve);
    sent.on("error", reject);
  });
  let refused = false;
  void answered.then(
    () => {
      refused = true;
    },
    () => undefined,
  );
  for (let at = 0; at < body.length && !refused; at += 65_536) {
    if (!sent.write(body.subarray(at, at + 65_536))) {
      await Promise.race([once(sent, "drain"), answered]);
    }
  }
  if (!refused) sent.end();
  const response = await answered;
  const text = await new Response(Readable.toWeb(response) as ReadableStream).text();
  sent.destroy();
  const { code } = JSON.parse(text) as Problem;
  return { status: response.statusCode ?? 0, code };
}

describe("queries", () => {
  const good = { table: "visits", from: 0, to: 10_000 };
  test.each([
    ["unknown table", { ...good, table: "visit" }, 404, "unknown-table", "table", "visits"],
    [
      "unknown column to group by",
      { ...good, groupBy: ["servce"] },
      400,
      "unknown-column",
      "groupBy[0]",
      "service",
    ],
    [
      "unknown column in a nested filter",
      { ...good, filter: [{ any: [{ column: "latency", op: ">", value: 1 }] }] },
      400,
      "unknown-column",
      "filter[0].any[0].column",
      "latency_us",
    ],
    ["no from", { table: "visits", to: 1 }, 400, "time-range-missing", "from", null],
    ["no to", { table: "visits", from: 1 }, 400, "time-range-missing", "to", null],
    ["from after to", { ...good, from: 20_000 }, 400, "time-range-invalid", "from", null],
    [
      "invalid pattern",
      { ...good, filter: [{ column: "service", op: "~", value: "(" }] },
      400,
      "invalid-pattern",
      "filter[0].value",
      null,
    ],
    [
      "a pattern of as many characters as an SQL LIKE of 60,000 underscores",
      {
        ...good,
        filter: [{ column: "service", op: "~", value: `(?s)\\A${".".repeat(60_000)}\\z` }],
      },
      400,
      "invalid-pattern",
      "filter[0].value",
      "10000 (patternLengthMax)",
    ],
    ["limit below 0", { ...good, limit: -1 }, 400, "invalid-query", "limit", null],
    ["limit beyond", { ...good, limit: 1_000_001 }, 400, "invalid-query", "limit", "1000000"],
    ["limit no integer", { ...good, limit: 1.5 }, 400, "invalid-query", "limit", null],
    [
      "unknown field",
      { ...good, groupby: ["service"] },
      400,
      "invalid-query",
      "groupby",
      "groupBy",
    ],
    [
      "unknown operator",
      { ...good, filter: [{ column: "service", op: "==", value: "a" }] },
      400,
      "invalid-query",
      "filter[0].op",
      null,
    ],
    [
      "text against a number",
      { ...good, filter: [{ column: "latency_us", op: ">", value: "slow" }] },
      400,
      "type-mismatch",
      "filter[0].value",
      null,
    ],
    [
      "an aggregate of text",
      { ...good, aggregates: [{ fn: "sum", column: "service" }] },
      400,
      "type-mismatch",
      "aggregates[0].column",
      null,
    ],
    [
      "a condition on groups that does not fit its column",
      { ...good, having: [{ column: "count", op: ">", value: "many" }] },
      400,
      "type-mismatch",
      "having[0].value",
      null,
    ],
    [
      "more buckets than any screen",
      { ...good, to: 1_000_000_000, groupBy: [{ time: "1ms" }] },
      422,
      "too-many-buckets",
      null,
      null,
    ],
  ])("%s", async (_, query, status, code, path, hint) => {
    const { problem, type, ...reply } = await ask(query);
    expect({ status: reply.status, code: problem.code }, JSON.stringify(problem)).toEqual({
      status,
      code,
    });
    expect(type).toContain("application/problem+json");
    if (path !== null) expect(problem.errors?.map((part) => part.path)).toContain(path);
    if (hint !== null) expect(JSON.stringify(problem)).toContain(hint);
    expect(JSON.stringify(problem)).not.toMatch(/\bat .*\.[jt]s:\d/);
  });

  test.each(["", "{", "[]", "null", '"text"', '{"query":null}', '{"sql":7}'])(
    "a body that holds no query: %j",
    async (body) => {
      const { status, problem } = await ask(body);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(problem.code).toBeTypeOf("string");
    },
  );
});

describe("a start that cannot be", () => {
  test("port taken: one clear line, exit code not 0", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => {
      taken.listen(0, "127.0.0.1", resolve);
    });
    const { port } = taken.address() as { port: number };
    const dataDir = await mkdtemp(join(tmpdir(), "hadal-port-"));
    const started = spawnHadal([
      ...["serve", "--no-demo", "--leaves", "1"],
      ...["--port", String(port), "--data-dir", dataDir],
    ]);
    expect(await started.exited).not.toBe(0);
    expectOneLine(started.output.err, String(port));
    taken.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  test("data folder that cannot be written: one clear line, exit code not 0", async () => {
    const folder = await mkdtemp(join(tmpdir(), "hadal-file-"));
    // Permissions do not stop root; a path below a file stops everybody.
    await writeFile(join(folder, "file"), "");
    const dataDir = join(folder, "file", "data");
    const started = spawnHadal([
      ...["serve", "--no-demo", "--leaves", "1"],
      ...["--port", "0", "--data-dir", dataDir],
    ]);
    expect(await started.exited).not.toBe(0);
    expectOneLine(started.output.err, dataDir);
    await rm(folder, { recursive: true, force: true });
  });
});

function expectOneLine(text: string, mention: string): void {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  expect(lines, text).toHaveLength(1);
  expect(lines[0]).toContain(mention);
}
