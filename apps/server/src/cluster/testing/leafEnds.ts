import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";
import { afterEach } from "vitest";
import type { Steps } from "../../base/schedule/steps.js";
import { createLeafConnection } from "../connectToLeaf.js";
import type { LeafConnection, LeafState } from "../leafConnection.js";
import type { LeafHandlers, QueryAnswer } from "../leafHandlers.js";
import { createLeafServer } from "../leafServer.js";
import type { MemberServer } from "../memberServer.js";

export const key = "a key that both ends know";
export const heartbeat = { pingMs: 20, missedMax: 3 };
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
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

export function answer(text: string, share = 1): QueryAnswer {
  const encode = function* (): Steps<Uint8Array> {
    yield;
    return new TextEncoder().encode(text);
  };
  return { stats: { ...stats, share }, encode };
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
    holdsOfBody: async () => [],
    settle: async () => undefined,
    undecided: async () => ({ batches: [], decided: {} }),
    storeHint: async () => undefined,
    takeHint: async () => null,
    dropHint: async () => undefined,
    listHints: async () => ({ batches: [], next: null }),
    query: async () => answer("all"),
    expire: async () => ({ generations: [], rows: { minutes: [], counts: [] } }),
    planCut: async () => ({ generations: [], rows: { minutes: [], counts: [] } }),
    planThinning: async () => ({ generations: [], rows: { minutes: [], counts: [] } }),
    planDrop: async () => ({ generations: [], rows: { minutes: [], counts: [] } }),
    reduce: async () => undefined,
    drop: async () => undefined,
    fence: async () => undefined,
    holdings: async () => ({ tables: [], unreadFolders: [] }),
    heldDays: async () => ({ days: [], hashes: [], nextDay: null }),
    heldMinutes: async () => ({ minutes: [], counts: [] }),
    describe: async () => [],
    forms: async () => [],
    copies: {
      state: async () => ({
        ...{ folderId: "folder", runId: "run", version: 1, tables: [], names: [] },
      }),
      segment: async () => null,
      log: async () => new Uint8Array(),
      logHash: async () => null,
    },
    awaitCopy: async () => [],
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

export async function startServer(
  replaced: Partial<LeafHandlers> = {},
  errors: unknown[] = [],
  { helloMs = 50, tls = false }: { readonly helloMs?: number; readonly tls?: boolean } = {},
): Promise<MemberServer> {
  const server = await createLeafServer({
    host: "127.0.0.1",
    port: 0,
    key,
    handlers: handlers(replaced),
    onError: (error, about) => errors.push(error, about),
    ...{ heartbeat, helloMs, tls },
  });
  closers.push(() => server.close().catch(() => {}));
  return server;
}

/** A connection, and a way to wait for a state. */
export function connect(
  address: () => string | null,
  options: { key?: string; states?: LeafState[]; tls?: boolean } = {},
) {
  const waiting = new Set<() => void>();
  const connection = createLeafConnection({
    id: "leaf-1",
    address,
    key: options.key ?? key,
    tls: options.tls ?? false,
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

export async function connected(replaced: Partial<LeafHandlers> = {}): Promise<LeafConnection> {
  const server = await startServer(replaced);
  const { connection, until } = connect(() => `127.0.0.1:${server.port}`);
  await until("alive");
  return connection;
}

export const append = {
  kind: "append",
  table: "requests",
  batchId: "b1",
  contentHash: "h",
  durable: true,
} as const;

/**
 * Passes bytes on until it is frozen: then it keeps connections open, and silent, as a stopped
 * process does. `restMs`: how long the leaf's bytes rest between one chunk and the next, as on a
 * slow line.
 */
export async function startProxy(targetPort: number, restMs = 0) {
  let frozen = false;
  const passed: Buffer[] = [];
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = createConnection(targetPort, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.push(from);
      from.on("data", (bytes: Buffer) => {
        passed.push(bytes);
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
    /** All bytes that came, of both ends. */
    passed: () => Buffer.concat(passed),
    freeze: () => {
      frozen = true;
    },
    thaw: () => {
      frozen = false;
    },
  };
}
