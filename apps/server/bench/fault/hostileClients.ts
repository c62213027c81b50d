import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";

/** What a hostile client needs: where the server is, what to ask about, and when to end. */
export interface HostileTarget {
  readonly port: number;
  readonly table: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly signal: AbortSignal;
}

/** One kind of hostile client; resolves when the signal is aborted. */
export type HostileClient = (field: HostileTarget) => Promise<void>;

/** All of them share an address that no one else has. */
const hostileAddress = "127.0.0.2";

async function open({ port, signal }: HostileTarget): Promise<Socket | null> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: hostileAddress });
  socket.on("error", () => socket.destroy());
  signal.addEventListener("abort", () => socket.destroy(), { once: true });
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(socket));
    socket.once("close", () => resolve(null));
  });
}

/** Sends and reads to the end; resolves with the status, 0 where the connection was cut. */
function send(
  field: HostileTarget,
  path: string,
  type: string,
  body: Buffer | string,
  encoding?: string,
) {
  return new Promise<number>((resolve) => {
    const sent = httpRequest(
      {
        ...{ host: "127.0.0.1", port: field.port, path: `/api/v1${path}`, method: "POST" },
        ...{ localAddress: hostileAddress, signal: field.signal },
        headers: {
          "content-type": type,
          "content-length": Buffer.byteLength(body),
          ...(encoding === undefined ? {} : { "content-encoding": encoding }),
        },
      },
      (answer: IncomingMessage) => {
        answer.resume();
        answer.once("close", () => resolve(answer.statusCode ?? 0));
      },
    );
    sent.on("error", () => resolve(0));
    sent.end(body);
  });
}

/** Again and again, with a breath between. */
const over = (field: HostileTarget, work: (round: number) => Promise<unknown>): Promise<void> =>
  (async () => {
    for (let round = 0; !field.signal.aborted; round++) {
      await work(round);
      await sleep(20);
    }
  })();

const several =
  (count: number, client: HostileClient): HostileClient =>
  async (field) => {
    await Promise.all(Array.from({ length: count }, () => client(field)));
  };

const ask = (field: HostileTarget, query: object) =>
  JSON.stringify({ query: { table: field.table, from: field.fromMs, to: field.toMs, ...query } });

/** Asks for all raw rows and takes nothing of the answer. */
const stallingReader: HostileClient = (field) =>
  over(field, async (round) => {
    const socket = await open(field);
    if (socket === null) return;
    socket.pause();
    const filter = [{ column: "n", op: ">=", value: round % 100 }];
    const body = ask(field, { sampleView: {}, limit: 100_000, filter, timeoutMs: 10_000 });
    socket.write(
      `POST /api/v1/query HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await once(socket, "close").catch(() => undefined);
  });

/** Sends one byte of its headers every two seconds. */
const slowHeaders: HostileClient = (field) =>
  over(field, async () => {
    const socket = await open(field);
    if (socket === null) return;
    socket.write("GET /api/v1/status HTTP/1.1\r\nX-Slow: ");
    while (!socket.destroyed) {
      socket.write("a");
      await sleep(2_000);
    }
  });

/** Announces a body and never sends it. */
const bodyWithoutBytes: HostileClient = (field) =>
  over(field, async () => {
    const socket = await open(field);
    if (socket === null) return;
    socket.resume();
    socket.write(
      `POST /api/v1/tables/hostile/rows HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\nContent-Length: 60000000\r\n\r\n`,
    );
    await once(socket, "close").catch(() => undefined);
  });

const badLines = Buffer.from("{\n".repeat(2_000_000));
const badCsv = Buffer.from(`a,b\n${'1,"x\n'.repeat(600_000)}`);
const zeros = gzipSync(Buffer.alloc(500_000_000, "0"));
const wideRows = gzipSync(
  Array.from({ length: 100_000 }, (_, i) => `{"time":1700000000000,"c${i % 4_000}":${i}}`).join(
    "\n",
  ),
);
const rows = Array.from(
  { length: 40_000 },
  (_, i) => `{"time":${1_700_000_000_000 + i},"x":${i},"s":"s${i % 50}"}`,
).join("\n");

const ndjson = "application/x-ndjson";

const badBodies: HostileClient = (field) =>
  over(field, async () => {
    await send(field, "/tables/hostile/rows", ndjson, badLines);
    await send(field, "/tables/hostile/rows", "text/csv", badCsv);
  });

const bombs: HostileClient = (field) =>
  over(field, () => send(field, "/tables/hostile/rows", ndjson, zeros, "gzip"));

const wideBodies: HostileClient = (field) =>
  over(field, () => send(field, "/tables/wide/rows", ndjson, wideRows, "gzip"));

const largeSends: HostileClient = (field) =>
  over(field, () => send(field, "/tables/hostile/rows", ndjson, rows));

const hostileTexts: HostileClient = (field) =>
  over(field, async () => {
    const texts = [
      `SELECT count(*) FROM t WHERE n = ${"1".repeat(100_000)}`,
      `SELECT ${"(".repeat(20_000)}1`,
      `SELECT count(*) FROM t WHERE s LIKE '${"%a".repeat(20_000)}'`,
    ];
    for (const sql of texts)
      await send(field, "/query", "application/json", JSON.stringify({ sql }));
  });

/** As many groups as there are rows. */
const heavyQueries: HostileClient = (field) =>
  over(field, (round) =>
    send(
      field,
      "/query",
      "application/json",
      ask(field, {
        groupBy: ["s", "n"],
        aggregates: [{ fn: "count" }, { fn: "percentile", p: 95, column: "n" }],
        filter: [{ column: "n", op: ">=", value: round % 1_000 }],
        timeoutMs: 10_000,
      }),
    ),
  );

const endlessFunctions: HostileClient = (field) =>
  over(field, () =>
    send(
      field,
      "/query",
      "application/json",
      ask(field, {
        derive: [{ as: "d", js: "(row) => { while (true) {} }" }],
        ...{ groupBy: ["d"], aggregates: [{ fn: "count" }], timeoutMs: 5_000 },
      }),
    ),
  );

/** Asks and goes away at once. */
const hangUps: HostileClient = (field) =>
  over(field, async (round) => {
    const socket = await open(field);
    if (socket === null) return;
    const body = ask(field, { groupBy: ["n"], aggregates: [{ fn: "count" }], limit: 1 + round });
    socket.write(
      `POST /api/v1/query HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await sleep(5);
    socket.resetAndDestroy();
  });

/** Frames that are none, on live sockets of its own. */
const badFrames: HostileClient = (field) =>
  over(field, async () => {
    const socket = await open(field);
    if (socket === null) return;
    socket.resume();
    socket.write(
      `GET /api/v1/live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    );
    for (let i = 0; i < 50 && !socket.destroyed; i++) {
      socket.write(randomBytes(64));
      await sleep(10);
    }
    socket.destroy();
  });

/** By name, as the report calls them. */
export const hostileClients: Readonly<Record<string, HostileClient>> = {
  "readers that stall": several(12, stallingReader),
  "headers byte by byte": several(200, slowHeaders),
  "bodies without bytes": several(50, bodyWithoutBytes),
  "bad bodies": badBodies,
  bombs,
  "wide rows": wideBodies,
  "large sends": several(8, largeSends),
  "hostile texts": hostileTexts,
  "heavy queries": several(4, heavyQueries),
  "endless functions": endlessFunctions,
  "hang-ups": several(2, hangUps),
  "bad frames": badFrames,
};
