import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { HadalError, type Problem, type Query, type Result } from "@hadal/sdk";
import { WebSocket } from "ws";
import { memoryOf } from "../test/support/load/memoryOf.js";
import { backgroundWork } from "./fault/backgroundWork.js";
import { lostBroker } from "./fault/brokerFaults.js";
import { damagedFiles } from "./fault/damageFaults.js";
import { endedUnderLoad, lostAnswersOfServer } from "./fault/deliveryFaults.js";
import { failingDisk, syncOrder } from "./fault/diskFaults.js";
import { egressFaults } from "./fault/egressFaults.js";
import { expiryUnderLoad } from "./fault/expiryFaults.js";
import { fairShares } from "./fault/fairShares.js";
import { freshnessBounds } from "./fault/freshnessBounds.js";
import { hotLeaf } from "./fault/hotLeaf.js";
import { processLimits } from "./fault/limitFaults.js";
import { machineFaults } from "./fault/machineFaults.js";
import { openStage } from "./fault/openStage.js";
import { type OwnServer, startOwnServer } from "./fault/ownServer.js";

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const run = promisify(execFile);
const fromMs = Date.UTC(2026, 0, 1);
/** Who does harm has an address of its own. */
const localAddress = "127.0.0.2";
const ndjson = { contentType: "application/x-ndjson" } as const;
const mib = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;

const rows = (first: number, count: number): string =>
  Array.from({ length: count }, (_, i) => {
    const n = first + i;
    return `{"time":${fromMs + n},"n":${n},"s":"u${n % 200_000}","ms":${n % 997}}`;
  }).join("\n");

async function fill({ client }: OwnServer, count: number): Promise<void> {
  for (let n = 0; n < count; n += 40_000)
    await client.ingestBody("t", rows(n, Math.min(40_000, count - n)), ndjson);
}

const counting = (to: number): Query => ({
  ...{ table: "t", from: fromMs, to: fromMs + to, timeoutMs: 2_000 },
  aggregates: [{ fn: "count" }],
});

/** How the server answers now: with all rows, with some, or with which problem. */
async function answerNow({ client }: OwnServer, query: Query): Promise<string> {
  try {
    const { completeness } = await client.query(query);
    return completeness.fraction === 1 ? "whole" : "partial";
  } catch (error) {
    return error instanceof HadalError ? error.code : String(error);
  }
}

/** The same over HTTP, from the address of those who do harm. */
function answerElsewhere({ port }: OwnServer, query: Query): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { port, host: "127.0.0.1", localAddress, method: "POST" };
    const headers = { "content-type": "application/json" };
    const asking = request({ ...options, path: "/api/v1/query", headers }, async (response) => {
      const answer = (await json(response)) as Partial<Result & Problem>;
      const isWhole = answer.completeness?.fraction === 1;
      resolve(answer.code ?? (isWhole ? "whole" : "partial"));
    });
    asking.on("error", reject);
    asking.end(JSON.stringify({ query }));
  });
}

/** Asks until the answer is whole. Milliseconds, and what the answers were before. */
async function untilWhole(server: OwnServer, query: Query): Promise<readonly [number, string]> {
  const startMs = performance.now();
  const seen = new Set<string>();
  for (;;) {
    const answer = await answerNow(server, query);
    if (answer === "whole") return [performance.now() - startMs, [...seen].join(", ")];
    seen.add(answer);
    await sleep(20);
  }
}

/** Milliseconds that each of some light queries takes, one after the other. */
function waitsOf(server: OwnServer, count: number): Promise<number[]> {
  let asked = 0;
  return waitsWhile(server, () => asked++ < count);
}

async function waitsWhile(server: OwnServer, goesOn: () => boolean): Promise<number[]> {
  const waits: number[] = [];
  for (let i = 0; goesOn(); i++) {
    const startMs = performance.now();
    const query = { ...counting(100_000 - i), timeoutMs: 20_000 };
    await server.client.query(query);
    waits.push(performance.now() - startMs);
  }
  return waits.sort((a, b) => a - b);
}

const p99 = (sorted: readonly number[]): string =>
  `p99 ${sorted[Math.floor(sorted.length * 0.99)]!.toFixed(0)} ms`;

/** All leaves are killed, then the gateway, then everything. */
async function allDead(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "hadal-faults-"));
  const server = await startOwnServer({ dataDir });
  await fill(server, 400_000);
  for (const [id, pid] of await server.pids()) if (id !== "gateway") process.kill(pid, "SIGKILL");
  const [leavesMs, between] = await untilWhole(server, counting(400_000));
  say(`F3 both leaves killed: ${between}; whole again after ${leavesMs.toFixed(0)} ms`);
  process.kill((await server.pids()).get("gateway") ?? 0, "SIGKILL");
  const [gatewayMs, away] = await untilWhole(server, counting(400_000));
  say(`F3 gateway killed: ${away}; whole again after ${gatewayMs.toFixed(0)} ms`);
  server.child.kill("SIGKILL");
  await new Promise((resolve) => server.child.once("exit", resolve));
  server.client.close();
  const startMs = performance.now();
  const again = await startOwnServer({ dataDir });
  const [, meanwhile] = await untilWhole(again, counting(400_000));
  const tookMs = (performance.now() - startMs).toFixed(0);
  say(
    `F3 supervisor killed, and started again: whole after ${tookMs} ms (${meanwhile || "at once"})`,
  );
  await again.stop();
  await rm(dataDir, { recursive: true });
}

/** A disk of 64 MiB that fills up, and has room again. */
async function fullDisk(): Promise<void> {
  const disk = await mkdtemp(join(tmpdir(), "hadal-faults-"));
  try {
    await run("mount", ["-t", "tmpfs", "-o", "size=64m", "tmpfs", disk]);
  } catch {
    say("F5 not measured: a tmpfs cannot be mounted here");
    return;
  }
  try {
    const dataDir = join(disk, "data");
    await mkdir(dataDir);
    const ballast = join(disk, "ballast");
    await writeFile(ballast, Buffer.alloc(12 * 2 ** 20));
    const server = await startOwnServer({ dataDir });
    let stored = 0;
    let refusal = "";
    while (refusal === "") {
      try {
        await server.client.ingestBody("t", rows(stored, 1_000), ndjson);
        stored += 1_000;
      } catch (error) {
        refusal = error instanceof HadalError ? `${error.status} ${error.code}` : String(error);
      }
    }
    const full = await answerNow(server, counting(stored));
    await rm(ballast);
    const startMs = performance.now();
    for (let isIn = false; !isIn; ) {
      await server.client.ingestBody("t", rows(stored, 1_000), ndjson).then(
        () => {
          isIn = true;
        },
        () => sleep(50),
      );
    }
    stored += 1_000;
    const freeMs = (performance.now() - startMs).toFixed(0);
    const answer = await server.client.query(counting(1e9));
    const count = Number(answer.rows[0]?.[0]);
    const peaks: number[] = [];
    for (const pid of (await server.pids()).values()) peaks.push(await memoryOf(pid, "VmHWM"));
    say(
      `F5 disk full after ${stored} rows: ${refusal}, queries ${full}; taken in again ${freeMs} ms after there was room; ${count} of ${stored} acknowledged rows; a process at most ${mib(Math.max(...peaks))}`,
    );
    await server.stop();
  } finally {
    await run("umount", [disk]);
    await rm(disk, { recursive: true });
  }
}

/** Fifty subscribers that read nothing, of answers of some 2 MB. */
async function stuckReaders(server: OwnServer): Promise<void> {
  const { url } = server;
  const quiet = await waitsOf(server, 200);
  const gateway = (await server.pids()).get("gateway")!;
  const before = await memoryOf(gateway, "VmRSS");
  const startMs = performance.now();
  const sockets = Array.from({ length: 50 }, (_, i) => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/api/v1/live`, { localAddress });
    socket.on("error", () => undefined);
    socket.on("open", () => {
      const filter = [{ column: "n", op: ">=", value: i }];
      const query = { ...counting(300_000), sampleView: {}, limit: 20_000, filter };
      socket.send(JSON.stringify({ kind: "subscribe", id: "a", query, everyMs: 500 }));
      (socket as unknown as { _socket: { pause(): void } })._socket.pause();
    });
    return socket;
  });
  const untilClosed = async (): Promise<number> => {
    await sleep(2_000);
    // A socket that is paused does not see its end itself. The last one is ours.
    while ((await liveSockets(server)) > 1) await sleep(200);
    return performance.now() - startMs;
  };
  const closing = untilClosed();
  const beside = await waitsOf(server, 400);
  const grown = (await memoryOf(gateway, "VmRSS")) - before;
  const tookMs = await closing;
  say(
    `F17 50 subscribers that read nothing: others ${p99(quiet)} -> ${p99(beside)}; gateway +${mib(grown / 50)} each; all closed after ${(tookMs / 1_000).toFixed(1)} s`,
  );
  for (const socket of sockets) socket.terminate();
}

async function liveSockets({ url }: OwnServer): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^hadal_live_sockets (\d+)/m.exec(text)?.[1] ?? 0);
}

/** Two thousand connections that say nothing, and headers without end. */
async function idleSockets(server: OwnServer): Promise<void> {
  const quiet = await waitsOf(server, 200);
  let refused = 0;
  let ended = 0;
  const startMs = performance.now();
  const sockets = Array.from({ length: 2_000 }, () => {
    const socket = connect({ port: server.port, host: "127.0.0.1", localAddress });
    socket.on("error", () => undefined);
    socket.on("data", () => undefined);
    socket.on("close", () => (performance.now() - startMs < 2_000 ? refused++ : ended++));
    return socket;
  });
  await sleep(1_000);
  const beside = await waitsOf(server, 400);
  while (refused + ended < 2_000 && performance.now() - startMs < 90_000) await sleep(200);
  const tookS = ((performance.now() - startMs) / 1_000).toFixed(0);
  const headers = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`x-${i}`, "1"]));
  const many = await fetch(`${server.url}/api/v1/status`, { headers }).then(
    ({ status }) => String(status),
    () => "cut off",
  );
  say(
    `F18 2,000 idle connections of one address: ${refused} refused at once, ${ended} ended within ${tookS} s; others ${p99(quiet)} -> ${p99(beside)}; 2,000 headers: ${many}`,
  );
  for (const socket of sockets) socket.destroy();
}

/** Fifty times as many groups as there are rows, at once. */
async function manyGroups(): Promise<void> {
  const server = await startOwnServer();
  const rowCount = 10_000_000;
  await fill(server, rowCount);
  const pids = await server.pids();
  const outcomes = new Map<string, number>();
  const startMs = performance.now();
  let isOver = false;
  const heavy = Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const query: Query = {
        ...{ table: "t", from: fromMs, to: fromMs + rowCount, timeoutMs: 20_000, limit: 10 },
        ...{ groupBy: ["n"], filter: [{ column: "n", op: ">=", value: i }] },
        aggregates: [{ fn: "count" }, { fn: "sum", column: "ms" }],
      };
      const outcome = await answerElsewhere(server, query);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }),
  );
  void heavy.then(() => {
    isOver = true;
  });
  const asking = waitsWhile(server, () => !isOver);
  let sends = 0;
  let longestMs = 0;
  while (!isOver) {
    const sentMs = performance.now();
    await server.client.ingestBody("other", rows(sends++ * 10, 10), ndjson);
    longestMs = Math.max(longestMs, performance.now() - sentMs);
    await sleep(100);
  }
  await heavy;
  const beside = await asking;
  const tookS = ((performance.now() - startMs) / 1_000).toFixed(0);
  const after = await server.pids();
  const peaks: string[] = [];
  for (const [id, pid] of after) peaks.push(`${id} ${mib(await memoryOf(pid, "VmHWM"))}`);
  const same = [...pids].every(([id, pid]) => after.get(id) === pid);
  const said = [...outcomes].map(([outcome, count]) => `${count} × ${outcome}`).join(", ");
  say(
    `F20 50 × GROUP BY of 10 M keys: ${said} in ${tookS} s; ${sends} sends meanwhile, the longest ${longestMs.toFixed(0)} ms; others ${p99(beside)}; at most ${peaks.join(", ")}; processes ${same ? "the same" : "NOT THE SAME"}`,
  );
  await server.stop();
}

async function withRows(measure: (server: OwnServer) => Promise<void>): Promise<void> {
  const server = await startOwnServer();
  await fill(server, 400_000);
  await measure(server);
  await server.stop();
}

const faults: Readonly<Record<string, () => Promise<void>>> = {
  F3: allDead,
  F4: () => endedUnderLoad(say),
  F5: fullDisk,
  F6: () => failingDisk(say),
  F7: () => damagedFiles(say),
  F8: () => syncOrder(say),
  F16: () => lostBroker(say),
  F17: () => withRows(stuckReaders),
  F18: () => withRows(idleSockets),
  F20: manyGroups,
  F22: () => lostAnswersOfServer(say),
  F24: () => expiryUnderLoad(say),
  F25: () => processLimits(say),
  shares: () => fairShares(say),
  hot: () => hotLeaf(say),
  background: () => backgroundWork(say),
  freshness: () => freshnessBounds(say),
  open: () => openStage(say),
  egress: () => egressFaults(say),
};
const wanted = process.argv.slice(2);
if (wanted[0] === "machines") {
  try {
    await machineFaults(wanted.slice(1), say);
    process.exit(0);
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(1);
  }
}
for (const [name, measure] of Object.entries(faults))
  if (wanted.length === 0 || wanted.includes(name)) await measure();
process.exit(0);
