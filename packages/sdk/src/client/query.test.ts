import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { HadalError } from "../model/problem/problem.js";
import type { Query } from "../model/query.js";
import type { Result } from "../model/result.js";
import { createClient } from "./createClient.js";
import type { HadalClient } from "./hadalClient.js";
import { answerFrame, createPeer, type Peer, resultOf } from "./testing/peer.js";

const query: Query = { table: "requests", from: "-1h", to: "now" };
let peer: Peer;
let client: HadalClient;

beforeEach(async () => {
  peer = await createPeer();
  client = createClient({ url: peer.url, webSocket: WebSocket });
});

afterEach(async () => {
  client.close();
  await peer.close();
});

describe("queryArrow", () => {
  test("hands out the bytes, and problems as errors", async () => {
    peer.answer = ({ headers }) =>
      headers.accept === "application/vnd.apache.arrow.stream"
        ? { status: 200, body: "ARROW" }
        : { status: 415, body: {} };
    const filter = [{ column: "id", op: "=", value: 2n ** 63n - 1n }] as const;
    const bytes = await client.queryArrow({ ...query, filter });
    expect(bytes).toEqual(new TextEncoder().encode("ARROW"));
    const { path, method, body } = peer.requests[0]!;
    expect([method, path]).toEqual(["POST", "/api/v1/query"]);
    expect(JSON.parse(body).query.filter[0].value).toBe("9223372036854775807");

    const problem = new HadalError("unknown-table", { table: "x", nearest: "" }).toProblem();
    peer.answer = () => ({ status: 404, body: problem });
    await expect(client.queryArrow(query)).rejects.toMatchObject({ code: "unknown-table" });
    const leave = new AbortController();
    leave.abort();
    const left = client.queryArrow(query, { signal: leave.signal });
    await expect(left).rejects.toMatchObject({ code: "cancelled" });
  });
});

describe("query over the live socket", () => {
  test("hands out partials in order, then the final result", async () => {
    peer.onFrame = (frame, send) => {
      send(answerFrame("partial", frame.id, 1, 1));
      send(answerFrame("partial", frame.id, 2, 2));
      send(answerFrame("final", frame.id, 3, 3));
    };
    const partials: unknown[] = [];
    const result = await client.query(query, {
      onPartial: (partial) => partials.push(partial.rows[0]?.[0]),
    });
    expect(partials).toEqual([1, 2]);
    expect(result).toEqual(resultOf(3));
    expect(peer.frames).toEqual([{ kind: "query", id: expect.any(String), query }]);
  });

  test("a text is asked as SQL, once or live", async () => {
    peer.onFrame = (frame, send) => send(answerFrame("final", frame.id, 1, 1));
    const sql = "SELECT count(*) FROM requests WHERE time >= 0 AND time < 10";
    expect(await client.query(sql)).toEqual(resultOf(1));
    for await (const result of client.live(sql)) expect(result).toEqual(resultOf(1));
    expect(peer.frames).toEqual([
      { kind: "query", id: expect.any(String), sql },
      { kind: "query", id: expect.any(String), sql },
    ]);
  });

  test("queries share one connection and do not mix their answers", async () => {
    peer.onFrame = (frame, send) => {
      if (frame.kind !== "query" || !("query" in frame)) return;
      send(answerFrame("final", frame.id, 1, frame.query.table));
    };
    const tables = ["11", "22", "33"];
    const results = await Promise.all(tables.map((table) => client.query({ ...query, table })));
    expect(results.map((result) => result.rows[0]?.[0])).toEqual([11n, 22n, 33n]);
    expect(peer.connections).toHaveLength(1);
  });

  test("writes BigInt as a decimal string and reads large integers as BigInt", async () => {
    peer.onFrame = (frame, send) => send(answerFrame("final", frame.id, 1, "9007199254740993"));
    const filter = [{ column: "id", op: "=", value: 9_007_199_254_740_993n }] as const;
    const result = await client.query({ ...query, filter });
    expect(result.rows).toEqual([[9_007_199_254_740_993n]]);
    expect(peer.frames[0]).toMatchObject({ query: { filter: [{ value: "9007199254740993" }] } });
  });

  test("a problem becomes a HadalError with code, status and parts", async () => {
    const problem = new HadalError("invalid-query", { detail: "no" }, [
      { path: "limit", code: "out-of-range", detail: "no" },
    ]).toProblem();
    peer.onFrame = (frame, send) => send({ kind: "problem", id: frame.id, problem });
    await expect(client.query(query)).rejects.toMatchObject({
      code: "invalid-query",
      status: 400,
      errors: [{ path: "limit" }],
    });
  });

  test("abort cancels on the server and rejects as cancelled", async () => {
    const abort = new AbortController();
    peer.onFrame = (frame) => frame.kind === "query" && abort.abort();
    await expect(client.query(query, { signal: abort.signal })).rejects.toMatchObject({
      code: "cancelled",
    });
    await vi.waitFor(() =>
      expect(peer.frames.map((frame) => frame.kind)).toEqual(["query", "cancel"]),
    );
    expect(peer.frames[1]?.id).toBe(peer.frames[0]?.id);
  });

  test("a signal that is aborted already asks nothing", async () => {
    await expect(client.query(query, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "cancelled",
    });
    expect(peer.connections).toHaveLength(0);
  });

  test("is asked again once when the connection is lost", async () => {
    peer.onFrame = (frame, send, socket) => {
      if (peer.connections.length === 1) socket.terminate();
      else send(answerFrame("final", frame.id, 1, 5));
    };
    expect((await client.query(query)).rows).toEqual([[5]]);
    expect(peer.connections).toHaveLength(2);
    // Under another id: the server may still be busy with the first.
    expect(new Set(peer.frames.map((frame) => frame.id)).size).toBe(2);
  });

  test("is given up when the connection is lost twice, and the next query works", async () => {
    peer.onFrame = (_frame, _send, socket) => socket.terminate();
    await expect(client.query(query)).rejects.toMatchObject({
      code: "connection-lost",
      retry: true,
    });
    expect(peer.connections).toHaveLength(2);
    peer.onFrame = (frame, send) => send(answerFrame("final", frame.id, 1, 5));
    expect((await client.query(query)).rows).toEqual([[5]]);
  });

  test("no server at all is a lost connection too", async () => {
    const { url } = peer;
    await peer.close();
    const lonely = createClient({ url, webSocket: WebSocket });
    await expect(lonely.query(query)).rejects.toMatchObject({ code: "connection-lost" });
    lonely.close();
  });

  test("an answer that is no JSON counts as a lost connection", async () => {
    peer.onFrame = (_frame, send) => send("<html>");
    await expect(client.query(query)).rejects.toMatchObject({ code: "connection-lost" });
  });

  test("close rejects what is open", async () => {
    peer.onFrame = () => client.close();
    await expect(client.query(query)).rejects.toMatchObject({ code: "cancelled" });
  });

  test("a query too large for a frame is refused here, not by a closed socket", async () => {
    const filter = [{ column: "a", op: "=", value: "é".repeat(600_000) }] as const;
    await expect(client.query({ ...query, filter })).rejects.toMatchObject({
      code: "body-too-large",
    });
  });

  test("after a cancelled query during a lost connection the next one connects again", async () => {
    const abort = new AbortController();
    peer.onFrame = (_frame, _send, socket) => socket.terminate();
    const first = client.query(query, { signal: abort.signal });
    await vi.waitFor(() => expect(peer.connections[0]?.readyState).toBe(WebSocket.CLOSED));
    abort.abort();
    await expect(first).rejects.toMatchObject({ code: "cancelled" });
    peer.onFrame = (frame, send) => send(answerFrame("final", frame.id, 1, 5));
    expect((await client.query(query)).rows).toEqual([[5]]);
  });
});

describe("query over HTTP, where there is no WebSocket", () => {
  test("posts the query and reads large integers", async () => {
    peer.answer = () => ({ status: 200, body: resultOf("9007199254740993") });
    const plain = createClient({ url: `${peer.url}/` });
    const result = await plain.query({ ...query, limit: 5 });
    expect(result.rows).toEqual([[9_007_199_254_740_993n]]);
    expect(peer.requests[0]).toMatchObject({ method: "POST", path: "/api/v1/query" });
    expect(JSON.parse(peer.requests[0]?.body ?? "")).toEqual({ query: { ...query, limit: 5 } });
  });

  test.each([
    [
      "a problem",
      { status: 404, body: new HadalError("unknown-table", { table: "x" }).toProblem() },
      { code: "unknown-table", message: "No table is called x." },
    ],
    [
      "a proxy's page",
      { status: 502, body: "<h1>Bad gateway</h1>" },
      { code: "connection-lost", message: expect.stringContaining("HTTP 502") },
    ],
    [
      "a page instead of an answer",
      { status: 200, body: "<h1>Hi</h1>" },
      { code: "bad-request", message: expect.stringContaining("is it Hadal?") },
    ],
  ])("%s", async (_, answer, expected) => {
    peer.answer = () => answer;
    await expect(createClient({ url: peer.url }).query(query)).rejects.toMatchObject(expected);
  });

  test("abort rejects as cancelled", async () => {
    const abort = new AbortController();
    peer.answer = () => {
      abort.abort();
      return { status: 200, body: {} };
    };
    await expect(
      createClient({ url: peer.url }).query(query, { signal: abort.signal }),
    ).rejects.toMatchObject({ code: "cancelled" });
  });

  test("live needs a WebSocket and says so", () => {
    expect(() => createClient({ url: peer.url }).live(query)).toThrow("ws package");
  });
});

test.each(["", "localhost:7400", "ftp://x", "http://"])("the address %s is refused", (url) => {
  expect(() => createClient({ url })).toThrow("not the address of a server");
});

test("names are escaped in paths", async () => {
  const answers: Record<string, unknown> = { tables: [], status: {} };
  peer.answer = ({ path }) => ({
    status: 200,
    headers: { "x-hadal-completeness": "0.5; rows 1/2; leaves 1/2; missing leaf%202" },
    body: answers[path.split("/").at(-1) ?? ""] ?? [],
  });
  await client.tables();
  await client.status();
  await client.table("a/b?");
  const values = await client.values("t", "x y", { prefix: "ü&", limit: 3 });
  expect(values.completeness).toEqual({
    ...{ fraction: 0.5, rowsExpected: 2, rowsAnswered: 1 },
    leaves: { answered: 1, total: 2, missing: ["leaf 2"] },
  });
  expect(peer.requests.map((request) => request.path)).toEqual([
    "/api/v1/tables",
    "/api/v1/status",
    "/api/v1/tables/a%2Fb%3F",
    "/api/v1/tables/t/columns/x%20y/values?prefix=%C3%BC%26&limit=3",
  ]);
});

describe("live", () => {
  const cellOf = (result: Result): unknown => result.rows[0]?.[0];

  test("asks once, iterates over results, ends after the final one", async () => {
    peer.onFrame = (frame, send) => {
      send(answerFrame("partial", frame.id, 1, 1));
      send(answerFrame("final", frame.id, 2, 2));
    };
    const heard: unknown[] = [];
    let last: unknown;
    for await (const result of client.live(query, {
      onResult: (result) => heard.push(cellOf(result)),
    })) {
      last = cellOf(result);
    }
    expect(last).toBe(2);
    expect(heard).toEqual([1, 2]);
  });

  test("a slow reader gets the newest only", async () => {
    let sent = 0;
    peer.onFrame = (frame, send) => {
      for (sent = 1; sent <= 50; sent++) send(answerFrame("final", frame.id, sent, sent));
    };
    const heard: unknown[] = [];
    const live = client.live(query, {
      everyMs: 1000,
      onResult: (result) => heard.push(cellOf(result)),
    });
    await vi.waitFor(() => expect(heard).toHaveLength(50));
    const { value } = await live[Symbol.asyncIterator]().next();
    expect(cellOf(value as Result)).toBe(50);
    live.stop();
    expect(peer.frames[0]).toEqual({
      kind: "subscribe",
      id: expect.any(String),
      query,
      everyMs: 1000,
    });
  });

  test("is asked again after a lost connection, and reports it", async () => {
    peer.onFrame = (frame, send, socket) => {
      if (frame.kind !== "subscribe") return;
      send(answerFrame("final", frame.id, 1, peer.connections.length));
      if (peer.connections.length < 3) setTimeout(() => socket.terminate());
    };
    const problems: Error[] = [];
    const live = client.live(query, {
      everyMs: 250,
      onProblem: (problem) => problems.push(problem),
    });
    for await (const result of live) if (cellOf(result) === 3) break;
    expect(problems).toMatchObject([{ code: "connection-lost" }, { code: "connection-lost" }]);
    // Leaving the loop stops the query on the server.
    await vi.waitFor(() => expect(peer.frames.at(-1)?.kind).toBe("cancel"));
  });

  test("a subscription survives a problem that may pass", async () => {
    peer.onFrame = (frame, send) => {
      send({
        kind: "problem",
        id: frame.id,
        problem: new HadalError("no-leaves", { missing: "leaf-1" }).toProblem(),
      });
      send(answerFrame("final", frame.id, 1, 7));
    };
    const problems: Error[] = [];
    for await (const result of client.live(query, {
      everyMs: 250,
      onProblem: (problem) => problems.push(problem),
    })) {
      expect(cellOf(result)).toBe(7);
      break;
    }
    expect(problems).toMatchObject([{ code: "no-leaves" }]);
  });

  test.each([undefined, 250])(
    "a problem that lasts ends it with an error (everyMs %s)",
    async (everyMs) => {
      peer.onFrame = (frame, send) =>
        send({
          kind: "problem",
          id: frame.id,
          problem: new HadalError("unknown-table", { table: "x" }).toProblem(),
        });
      const iterator = client
        .live(query, everyMs === undefined ? {} : { everyMs })
        [Symbol.asyncIterator]();
      await expect(iterator.next()).rejects.toMatchObject({ code: "unknown-table" });
      expect(await iterator.next()).toEqual({ done: true, value: undefined });
    },
  );

  test.each(["stop", "abort"])("%s cancels and ends the iteration", async (how) => {
    const abort = new AbortController();
    const live = client.live(query, { everyMs: 250, signal: abort.signal });
    peer.onFrame = (frame) => {
      if (frame.kind !== "subscribe") return;
      if (how === "stop") live.stop();
      else abort.abort();
    };
    for await (const _ of live) throw new Error("nothing was answered");
    await vi.waitFor(() =>
      expect(peer.frames.map((frame) => frame.kind)).toEqual(["subscribe", "cancel"]),
    );
  });
});
