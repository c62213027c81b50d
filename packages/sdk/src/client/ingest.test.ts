import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RowProblem } from "../model/ingest/ingest.js";
import { HadalError } from "../model/problem/problem.js";
import { createClient } from "./createClient.js";
import { createPeer, type Peer, type PeerAnswer, type PeerRequest } from "./testing/peer.js";

let peer: Peer;
let stored: Map<string, string[]>;

const keyOf = (request: PeerRequest): string => String(request.headers["idempotency-key"]);
const linesOf = (request: PeerRequest): string[] => request.body.trimEnd().split("\n");

/**
 * Stores a batch under its key, as Hadal does: the same key again is answered, not stored again.
 */
function accept(request: PeerRequest): PeerAnswer {
  const lines = linesOf(request);
  stored.set(keyOf(request), lines);
  return {
    status: 200,
    body: {
      batchId: keyOf(request),
      accepted: lines.length,
      rejected: 0,
      problems: [],
      ack: "durable",
    },
  };
}

function refuse(error: HadalError, headers: Record<string, string> = {}): PeerAnswer {
  return { status: error.status, headers, body: error.toProblem() };
}

beforeEach(async () => {
  peer = await createPeer();
  stored = new Map();
  peer.answer = accept;
});

afterEach(() => peer.close());

describe("sendBatches", () => {
  test("sends rows of several tables as one request, every digit of them", async () => {
    const reply = { batchId: "k", accepted: 2, tables: { a: { accepted: 1 } }, ack: "received" };
    peer.answer = () => ({ status: 202, body: reply });
    const tables = { a: [{ time: 1, n: 9_007_199_254_740_993n }], "b c": [{ time: 2 }] };
    const options = { idempotencyKey: "k", ack: "received", time: "ts" } as const;
    expect(await createClient({ url: peer.url }).sendBatches(tables, options)).toEqual(reply);
    expect(peer.requests).toMatchObject([
      {
        ...{ method: "POST", path: "/api/v1/batches?ack=received&time=ts" },
        body: '{"tables":{"a":[{"time":1,"n":9007199254740993}],"b c":[{"time":2}]}}',
        headers: { "content-type": "application/json", "idempotency-key": "k" },
      },
    ]);
  });

  test("a row that JSON cannot say is refused with its table and place, and nothing is sent", async () => {
    const sending = createClient({ url: peer.url }).sendBatches({
      a: [{ time: 1 }, { time: Number.NaN }],
    });
    await expect(sending).rejects.toMatchObject({
      code: "rows-rejected",
      errors: [{ path: "tables.a[1]", code: "invalid-row" }],
    });
    expect(peer.requests).toEqual([]);
  });
});

describe("ingest", () => {
  test("sends some of the rows, each with what it stands for", async () => {
    const writer = createClient({ url: peer.url }).ingest("t", {
      sample: { oneIn: 4, by: "user" },
    });
    for (let i = 0; i < 400; i++) await writer.push({ time: i, user: i % 40, sample_rate: 5 });
    const { accepted, sampledOut } = await writer.close();
    const rows = [...stored.values()].flat().map((line) => JSON.parse(line));
    expect(accepted + sampledOut!).toBe(400);
    expect(rows).toHaveLength(accepted);
    expect(new Set(rows.map(({ sample_rate }) => sample_rate))).toEqual(new Set([20]));
    // The error bars of such rows are none.
    expect(new Set(rows.map(({ sample_by }) => sample_by))).toEqual(new Set(["user"]));
    // All ten rows of a user, or none.
    expect(accepted % 10).toBe(0);
    expect(accepted).toBeGreaterThan(0);
    expect(accepted).toBeLessThan(400);
  });

  test("rows that were chosen one by one name no column", async () => {
    for (const sample of [
      { oneIn: 2 },
      { oneIn: 2, by: "user" },
      { rowsPerSecond: 1, by: "kind" },
    ] as const) {
      const writer = createClient({ url: peer.url }).ingest("t", { sample });
      for (let i = 0; i < 100; i++) await writer.push({ time: i, kind: "x" });
      expect((await writer.close()).accepted).toBeGreaterThan(0);
    }
    const rows = [...stored.values()].flat().map((line) => JSON.parse(line));
    expect(rows.filter(({ sample_rate }) => sample_rate > 1).length).toBeGreaterThan(0);
    expect(rows.filter((row) => "sample_by" in row)).toEqual([]);
  });

  test("a row that would stand for too many is rejected by itself", async () => {
    const problems: RowProblem[] = [];
    const writer = createClient({ url: peer.url }).ingest("t", {
      sample: { oneIn: 2 },
      onRejected: (found) => problems.push(...found),
    });
    for (let i = 0; i < 100; i++) await writer.push({ time: i, sample_rate: 2_000_000_000 });
    const { accepted, rejected, sampledOut } = await writer.close();
    expect(accepted).toBe(0);
    expect(rejected + sampledOut!).toBe(100);
    expect(problems).toHaveLength(rejected);
    expect(problems[0]).toMatchObject({ code: "invalid-row" });
  });

  test("batches by rows, sends the rest on flush, counts", async () => {
    const writer = createClient({ url: peer.url }).ingest("web logs", {
      batchRows: 3,
      time: "ts",
      timeUnit: "s",
      ack: "received",
    });
    for (let i = 0; i < 8; i++) await writer.push({ time: i });
    expect(await writer.flush()).toEqual({ accepted: 8, rejected: 0, lost: 0 });
    expect(peer.requests.map((request) => linesOf(request).length).sort()).toEqual([2, 3, 3]);
    expect(peer.requests[0]).toMatchObject({
      method: "POST",
      path: "/api/v1/tables/web%20logs/rows?time=ts&timeUnit=s&ack=received",
    });
    expect(peer.requests[0]?.headers["content-type"]).toBe("application/x-ndjson");
    expect(new Set(peer.requests.map(keyOf)).size).toBe(3);
    expect(keyOf(peer.requests[0] as PeerRequest)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  test("a row waits no longer than batchMs for others", async () => {
    let answered: (value: unknown) => void = () => undefined;
    const arrived = new Promise((resolve) => {
      answered = resolve;
    });
    const writer = createClient({ url: peer.url }).ingest("t", { batchMs: 5, onBatch: answered });
    await writer.push({ time: 1 });
    expect(await arrived).toMatchObject({ accepted: 1 });
  });

  test("cuts a batch before it is 4 MiB", async () => {
    const writer = createClient({ url: peer.url }).ingest("t");
    const text = "é".repeat(600_000);
    for (let i = 0; i < 7; i++) await writer.push({ time: i, text });
    await writer.close();
    expect(
      peer.requests
        .map((request) => Buffer.byteLength(request.body))
        .every((bytes) => bytes <= 4_194_304),
    ).toBe(true);
    expect(peer.requests.map((request) => linesOf(request).length).sort()).toEqual([1, 3, 3]);
  });

  test("tries the same batch again under the same key, and stores it once", async () => {
    const failures: (PeerAnswer | "hang up")[] = [
      "hang up",
      refuse(new HadalError("overloaded", { detail: "busy" })),
      refuse(new HadalError("storage-full", { leaf: "1", detail: "full" })),
    ];
    peer.answer = (request) => failures.shift() ?? accept(request);
    const writer = createClient({ url: peer.url }).ingest("t");
    await writer.push({ time: 1 });
    expect(await writer.flush()).toEqual({ accepted: 1, rejected: 0, lost: 0 });
    expect(peer.requests).toHaveLength(4);
    expect(stored.size).toBe(1);
    expect(new Set(peer.requests.map(keyOf)).size).toBe(1);
  });

  test("leaves the server alone as long as Retry-After asks", async () => {
    const timesMs: number[] = [];
    peer.answer = (request) => {
      timesMs.push(performance.now());
      return timesMs.length === 1
        ? refuse(new HadalError("overloaded", { detail: "busy" }), { "retry-after": "1" })
        : accept(request);
    };
    const writer = createClient({ url: peer.url }).ingest("t");
    await writer.push({ time: 1 });
    await writer.flush();
    expect((timesMs[1] ?? 0) - (timesMs[0] ?? 0)).toBeGreaterThanOrEqual(990);
  });

  test("a batch that is never taken counts as lost and blocks no other", async () => {
    peer.answer = (request) =>
      request.body.includes("bad")
        ? refuse(new HadalError("leaf-unreachable", { leaf: "1" }))
        : accept(request);
    const writer = createClient({ url: peer.url }).ingest("t", {
      batchRows: 1,
      retryMs: 400,
      pendingRowsMax: 8,
    });
    for (let i = 0; i < 40; i++) await writer.push({ time: i, text: i % 8 === 0 ? "bad" : "good" });
    expect(await writer.close()).toEqual({ accepted: 35, rejected: 0, lost: 5 });
  });

  test("a refused batch is not tried again and counts as rejected", async () => {
    peer.answer = () => refuse(new HadalError("unsupported-media-type", { detail: "no" }));
    const problems: RowProblem[] = [];
    const writer = createClient({ url: peer.url }).ingest("t", {
      onRejected: (some) => problems.push(...some),
    });
    await writer.push({ time: 1 });
    await writer.push({ time: 2 });
    expect(await writer.close()).toEqual({ accepted: 0, rejected: 2, lost: 0 });
    expect(peer.requests).toHaveLength(1);
    expect(problems).toEqual([{ line: 1, code: "unsupported-media-type", detail: "no" }]);
  });

  test("problems of rows say which pushed row they mean", async () => {
    peer.answer = (request) => {
      const lines = linesOf(request);
      const problems = lines.flatMap((line, i) =>
        line.includes("bad") ? [{ line: i + 1, code: "time-missing", detail: "no" }] : [],
      );
      if (problems.length === lines.length) {
        return refuse(
          new HadalError("rows-rejected", { rejected: lines.length, detail: "no" }, problems),
        );
      }
      return {
        status: 200,
        body: {
          batchId: "b",
          accepted: lines.length - problems.length,
          rejected: problems.length,
          problems,
          ack: "durable",
        },
      };
    };
    const problems: RowProblem[] = [];
    const writer = createClient({ url: peer.url }).ingest("t", {
      batchRows: 2,
      onRejected: (some) => problems.push(...some),
    });
    for (const text of ["good", "good", "good", "bad", "bad", "bad"])
      await writer.push({ time: 1, text });
    await writer.push({ time: Number.NaN });
    expect(await writer.close()).toEqual({ accepted: 3, rejected: 4, lost: 0 });
    expect(problems.map((problem) => problem.line).sort()).toEqual([4, 5, 6, 7]);
    expect(problems.find((problem) => problem.line === 7)).toEqual({
      line: 7,
      code: "invalid-row",
      detail: "time is NaN, which no row can hold.",
    });
  });

  test("holds no more rows than pendingRowsMax: push waits", async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    peer.answer = (request) => gate.then(() => accept(request));
    const writer = createClient({ url: peer.url }).ingest("t", { batchRows: 2, pendingRowsMax: 4 });
    for (let i = 0; i < 4; i++) await writer.push({ time: i });
    let taken = false;
    const fifth = writer.push({ time: 4 }).then(() => {
      taken = true;
    });
    const flushed = writer.flush();
    await new Promise((resolve) => setImmediate(resolve));
    expect(taken).toBe(false);
    release();
    await fifth;
    expect(await flushed).toEqual({ accepted: 5, rejected: 0, lost: 0 });
  });

  test("rows keep their order within batches however they are pushed", async () => {
    const writer = createClient({ url: peer.url }).ingest("t", {
      batchRows: 10,
      pendingRowsMax: 10,
    });
    const pushes = Array.from({ length: 95 }, (_, i) => writer.push({ time: i }));
    expect(await writer.flush()).toEqual({ accepted: 95, rejected: 0, lost: 0 });
    await Promise.all(pushes);
    const times = [...stored.values()].map((lines) =>
      lines.map((line) => JSON.parse(line).time as number),
    );
    expect(times.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 95 }, (_, i) => i));
    for (const batch of times) expect(batch).toEqual([...batch].sort((a, b) => a - b));
  });

  test("a closed writer takes no more", async () => {
    const writer = createClient({ url: peer.url }).ingest("t");
    await writer.close();
    await expect(writer.push({ time: 1 })).rejects.toMatchObject({ code: "bad-request" });
  });

  test("every row is accounted for under random failures, and none is stored twice", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 60 }),
        async (script, rows) => {
          stored = new Map();
          const steps = [...script];
          peer.answer = (request) => {
            const step = steps.shift() ?? 0;
            if (step === 1) return "hang up";
            if (step === 2) {
              accept(request);
              return "hang up";
            }
            return step === 3
              ? refuse(new HadalError("overloaded", { detail: "busy" }))
              : accept(request);
          };
          const writer = createClient({ url: peer.url }).ingest("t", { batchRows: 7 });
          for (let i = 0; i < rows; i++) await writer.push({ time: i });
          expect(await writer.close()).toEqual({ accepted: rows, rejected: 0, lost: 0 });
          expect([...stored.values()].flat()).toHaveLength(rows);
        },
      ),
      { numRuns: 8 },
    );
  });
});

test("ingestBody sends the body as it is", async () => {
  const body = new TextEncoder().encode("time,a\n1,2\n");
  const reply = await createClient({ url: peer.url }).ingestBody("t", body, {
    contentType: "text/csv",
    idempotencyKey: "k",
  });
  expect(reply).toMatchObject({ batchId: "k" });
  expect(peer.requests[0]).toMatchObject({
    body: "time,a\n1,2\n",
    headers: { "content-type": "text/csv" },
  });
});
