import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";
import { HadalError } from "@hadal/sdk";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { ResolvedQuery } from "../plan/resolvedQuery.js";
import { encodeFrame } from "./frame.js";
import { createLeafConnection, type LeafConnection, type LeafState } from "./leafConnection.js";
import { wrongKeyCloseCode } from "./leafProtocol.js";
import { createLeafServer, type LeafServer } from "./leafServer.js";
import type { LeafHandlers, QueryAnswer } from "./leafSession.js";

const key = "a key that both ends know";
const heartbeat = { pingMs: 20, missedMax: 3 };
const backoff = { minMs: 5, maxMs: 20 };
const stats = {
  rowsHeld: 10,
  share: 1,
  rowsScanned: 10,
  rowsMatched: 4,
  bytesScanned: 80,
  segments: 1,
  segmentsSkipped: 0,
  scanMs: 1,
};
const query: ResolvedQuery = {
  table: "requests",
  sides: [{ fromMs: 0, toMs: 1, filter: { kind: "all", filters: [] }, buckets: null }],
  groupBy: [],
  states: [{ kind: "rows" }, { kind: "weight" }],
  sample: null,
  cut: { max: 100, bySeries: false, ranks: [] },
};

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function answer(text: string, share = 1): QueryAnswer {
  return { stats: { ...stats, share }, encode: () => new TextEncoder().encode(text) };
}

/** A leaf that answers as a leaf does; single answers can be replaced. */
function handlers(replaced: Partial<LeafHandlers> = {}): LeafHandlers {
  return {
    append: async ({ table }, body) => ({
      rowCount: body.length,
      duplicate: table === "again",
      freeBytes: 1_000,
    }),
    holds: async ({ batchIds }) =>
      batchIds.map((batchId) => ({ batchId, contentHash: "h", rowCount: 1 })),
    query: async () => answer("all"),
    expire: async () => ({ generations: [], rows: { minutes: [], counts: [] } }),
    planThinning: async () => ({ generations: [], rows: { minutes: [], counts: [] } }),
    thin: async () => undefined,
    drop: async () => undefined,
    describe: async () => [],
    status: async () => ({
      leafId: "leaf-1",
      pid: 7,
      rows: 5,
      bytes: 40,
      freeBytes: 2_000,
      memory: {
        storeBytes: 2_040,
        storeUsedBytes: 40,
        storeLargestFreeBytes: 2_000,
        storeExtents: 1,
        queryPoolBytes: 100,
        queryPoolUsedBytes: 0,
      },
      tables: [{ name: "t", rows: 5, bytes: 40 }],
      queriesRunning: 0,
      rowsScanned: 0,
    }),
    ...replaced,
  };
}

async function startServer(
  replaced: Partial<LeafHandlers> = {},
  errors: unknown[] = [],
  helloMs = 50,
): Promise<LeafServer> {
  const server = await createLeafServer({
    host: "127.0.0.1",
    port: 0,
    key,
    handlers: handlers(replaced),
    onError: (error, about) => errors.push(error, about),
    heartbeat,
    helloMs,
  });
  closers.push(() => server.close().catch(() => {}));
  return server;
}

/** A connection, and a way to wait for a state. */
function connect(
  address: () => string | null,
  options: { key?: string; states?: LeafState[] } = {},
) {
  const waiting = new Set<() => void>();
  const connection = createLeafConnection({
    id: "leaf-1",
    address,
    key: options.key ?? key,
    heartbeat,
    backoff,
    onState: (state) => {
      options.states?.push(state);
      for (const check of [...waiting]) check();
    },
  });
  closers.push(() => connection.close());
  const until = (state: LeafState): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (connection.state !== state) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  return { connection, until };
}

async function connected(replaced: Partial<LeafHandlers> = {}): Promise<LeafConnection> {
  const server = await startServer(replaced);
  const { connection, until } = connect(() => `127.0.0.1:${server.port}`);
  await until("alive");
  return connection;
}

const append = {
  kind: "append",
  table: "requests",
  batchId: "b1",
  contentHash: "h",
  durable: true,
} as const;

describe("requests", () => {
  test("carry header and body there, and the answer back", async () => {
    const connection = await connected();
    const body = new Uint8Array([1, 2, 3]);
    const { header } = await connection.request(append, body, { timeoutMs: 1_000 });
    expect(header).toMatchObject({ kind: "appended", rowCount: 3, duplicate: false });
    expect(connection.freeBytes).toBe(1_000);
    const status = await connection.request({ kind: "status" }, undefined, { timeoutMs: 1_000 });
    expect(status.header).toMatchObject({ kind: "status", status: { pid: 7 } });
    expect(connection.freeBytes).toBe(2_000);
    expect(connection.status?.rows).toBe(5);
  });

  test("sent before the connection stands wait for it", async () => {
    const server = await startServer();
    const { connection } = connect(() => `127.0.0.1:${server.port}`);
    expect(connection.state).toBe("suspect");
    const holds = { kind: "holds", table: "t", batchIds: ["a", "b"] } as const;
    const { header } = await connection.request(holds, undefined, { timeoutMs: 1_000 });
    expect(header.kind === "holding" && header.batches.map(({ batchId }) => batchId)).toEqual([
      "a",
      "b",
    ]);
  });

  test("problems of the leaf reject as they are; its bugs stay in its log", async () => {
    const errors: unknown[] = [];
    const server = await startServer(
      {
        append: async () => {
          throw new HadalError("storage-full", { leaf: "leaf-1", detail: "full" });
        },
        holds: async () => {
          throw new Error("secret path /var/x");
        },
      },
      errors,
    );
    const { connection } = connect(() => `127.0.0.1:${server.port}`);
    const full = connection.request(append, new Uint8Array(8), { timeoutMs: 1_000 });
    await expect(full).rejects.toMatchObject({ code: "storage-full" });
    const holds = { kind: "holds", table: "t", batchIds: [] } as const;
    const broken = connection.request(holds, undefined, { timeoutMs: 1_000 });
    await expect(broken).rejects.toMatchObject({ code: "internal" });
    await expect(broken).rejects.not.toThrow(/secret/);
    expect(String(errors[0])).toContain("secret");
    // What the log says it under is what the client is told.
    const { message } = (await broken.catch((error: unknown) => error)) as Error;
    expect(message).toContain(/problem (\S+)/.exec(String(errors[1]))?.[1]);
  });

  test("without an answer in time they reject", async () => {
    const connection = await connected({ append: () => new Promise(() => {}) });
    const asked = connection.request(append, new Uint8Array(8), { timeoutMs: 30 });
    await expect(asked).rejects.toMatchObject({ code: "connection-lost" });
  });

  test("reject when the connection breaks under them, and the next one works again", async () => {
    let server = await startServer({ append: () => new Promise(() => {}) });
    const { connection, until } = connect(() => `127.0.0.1:${server.port}`);
    await until("alive");
    const asked = connection.request(append, new Uint8Array(8), { timeoutMs: 5_000 });
    const lost = expect(asked).rejects.toMatchObject({ code: "connection-lost" });
    await server.close();
    await lost;
    await until("dead");
    const refused = connection.request(append, new Uint8Array(8), { timeoutMs: 5_000 });
    await expect(refused).rejects.toMatchObject({ code: "connection-lost" });
    // Restarted, and somewhere else.
    server = await startServer();
    connection.reconnect();
    await until("alive");
    const again = await connection.request(append, new Uint8Array(8), { timeoutMs: 1_000 });
    expect(again.header.kind).toBe("appended");
  });
});

describe("queries", () => {
  test("stream partials, the last one done", async () => {
    const connection = await connected({
      async query(_, { deadline }, onPartial) {
        expect(deadline - performance.now()).toBeLessThanOrEqual(5_000);
        onPartial(answer("half", 0.5));
        return answer("all");
      },
    });
    const seen: [string, boolean][] = [];
    await connection.streamQuery(query, {
      budgetMs: 5_000,
      onPartial: ({ body, done }) => seen.push([new TextDecoder().decode(body), done]),
    });
    expect(seen.at(-1)).toEqual(["all", true]);
    expect(seen.filter(([, done]) => done)).toHaveLength(1);
  });

  test.each(["signal", "socket", "deadline"])("stop on the leaf: by %s", async (by) => {
    let stopped: () => void = () => {};
    const seen = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    let started: () => void = () => {};
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const connection = await connected({
      query: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          started();
          signal.addEventListener("abort", () => {
            stopped();
            reject(new Error("the scan stopped"));
          });
        }),
    });
    const controller = new AbortController();
    const asked = connection.streamQuery(query, {
      budgetMs: by === "deadline" ? 50 : 10_000,
      signal: controller.signal,
      onPartial: () => {},
    });
    const rejected = expect(asked).rejects.toMatchObject({
      code: by === "signal" ? "cancelled" : expect.stringMatching(/connection-lost|cancelled/),
    });
    await running;
    if (by === "signal") controller.abort();
    if (by === "socket") connection.close();
    await rejected;
    await seen;
  });

  test("an answer that the reader cannot use rejects", async () => {
    const connection = await connected();
    const asked = connection.streamQuery(query, {
      budgetMs: 1_000,
      onPartial: () => {
        throw new Error("not a partial result");
      },
    });
    await expect(asked).rejects.toThrow("not a partial result");
  });
});

describe("who may connect", () => {
  test.each([
    ["a wrong key", encodeFrame({ kind: "hello", key: "guess", clientId: "x" })],
    ["no hello first", encodeFrame({ kind: "status", id: 1 })],
  ])("%s is closed with 4401", async (_, message) => {
    const server = await startServer();
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}`);
    const closed = new Promise<number>((resolve) => socket.on("close", resolve));
    socket.on("open", () => socket.send(message));
    expect(await closed).toBe(wrongKeyCloseCode);
  });

  test("silence and nonsense are closed too", async () => {
    const server = await startServer();
    const address = `ws://127.0.0.1:${server.port}`;
    const silent = new WebSocket(address);
    const nonsense = new WebSocket(address);
    nonsense.on("open", () => nonsense.send("hello?"));
    const codes = [silent, nonsense].map(
      (socket) => new Promise<number>((resolve) => socket.on("close", resolve)),
    );
    expect(await Promise.all(codes)).toEqual([1006, 1002]);
  });

  test("who sends much before it is let in is cut off, whole frames or not", async () => {
    const server = await startServer({}, [], 600_000);
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}`);
    const closed = new Promise<number>((resolve) => socket.on("close", resolve));
    socket.on("error", () => {});
    // The frame never ends: nothing else would close the connection for minutes.
    const piece = new Uint8Array(40_000);
    socket.on("open", () => {
      for (let i = 0; i < 3; i++) socket.send(piece, { fin: false });
    });
    expect(await closed).toBe(1006);
    const connection = await connected();
    const long = new Uint8Array(3_000_000);
    const { header } = await connection.request(append, long, { timeoutMs: 4_000 });
    expect(header).toMatchObject({ kind: "appended", rowCount: 3_000_000 });
  });

  test("a connection with a wrong key counts as dead", async () => {
    const server = await startServer();
    const { until } = connect(() => `127.0.0.1:${server.port}`, { key: "guess" });
    await until("dead");
  });

  test("a client's newer connection ends its older one", async () => {
    const server = await startServer();
    const hello = encodeFrame({ kind: "hello", key, clientId: "same" });
    const open = (): WebSocket => {
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}`);
      socket.on("open", () => socket.send(hello));
      return socket;
    };
    const older = open();
    const olderClosed = new Promise((resolve) => older.on("close", resolve));
    await new Promise((resolve) => older.on("message", resolve));
    const newer = open();
    await new Promise((resolve) => newer.on("message", resolve));
    await olderClosed;
    expect(newer.readyState).toBe(WebSocket.OPEN);
    newer.terminate();
  });
});

test("a leaf that falls silent is suspected, then dead; it is found again when it speaks", async () => {
  const server = await startServer();
  const proxy = await startProxy(server.port);
  const { connection, until } = connect(() => `127.0.0.1:${proxy.port}`);
  await until("alive");
  proxy.freeze();
  const asked = connection.request(append, new Uint8Array(8), { timeoutMs: 10_000 });
  const lost = expect(asked).rejects.toMatchObject({ code: "connection-lost" });
  await until("suspect");
  await until("dead");
  await lost;
  proxy.thaw();
  await until("alive");
});

test("an answer that takes many times the heartbeat to arrive is waited for, while it does arrive", async () => {
  const text = "a long answer ".repeat(1_500_000);
  const server = await startServer({ query: async () => answer(text) });
  const proxy = await startProxy(server.port, 2);
  const states: LeafState[] = [];
  const { connection, until } = connect(() => `127.0.0.1:${proxy.port}`, { states });
  await until("alive");
  let received = 0;
  const startMs = performance.now();
  await connection.streamQuery(query, {
    budgetMs: 20_000,
    onPartial: ({ body }) => {
      received = body.length;
    },
  });
  expect(received).toBe(text.length);
  expect(performance.now() - startMs).toBeGreaterThan(heartbeat.pingMs * heartbeat.missedMax * 4);
  expect(states).not.toContain("dead");
});

/**
 * Passes bytes on until it is frozen: then it keeps connections open, and silent, as a stopped process does. `restMs`:
 * how long the leaf's bytes rest between one chunk and the next, as on a slow line.
 */
async function startProxy(targetPort: number, restMs = 0) {
  let frozen = false;
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = createConnection(targetPort, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.push(from);
      from.on("data", (bytes) => {
        if (!frozen) to.write(bytes);
        if (restMs === 0 || from !== far) return;
        from.pause();
        setTimeout(() => from.resume(), restMs);
      });
      from.on("error", () => {});
      from.on("close", () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return {
    port: (server.address() as AddressInfo).port,
    freeze: () => {
      frozen = true;
    },
    thaw: () => {
      frozen = false;
    },
  };
}
