import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HadalError, type Query } from "@hadal/sdk";
import type { Say } from "./machines/machineFault.js";
import { type OwnServer, startOwnServer } from "./ownServer.js";
import { type Call, traceCalls } from "./syscallTrace.js";

const fromMs = Date.UTC(2026, 0, 1);
const rowsEach = 5;
const syncs = "fsync,fdatasync";
const writes = "write,writev,pwrite64,pwritev,pwritev2";

const batch = (number: number): string =>
  Array.from({ length: rowsEach }, (_, i) => {
    const n = number * rowsEach + i;
    return `{"time":${fromMs + n},"n":${n}}`;
  }).join("\n");

const send = ({ client }: OwnServer, number: number): Promise<unknown> =>
  client.ingestBody("t", batch(number), { contentType: "application/x-ndjson" });

const leafPids = async (server: OwnServer): Promise<readonly number[]> =>
  [...(await server.pids())].filter(([id]) => id !== "gateway").map(([, pid]) => pid);

const wallMs = (): number => performance.timeOrigin + performance.now();

/** What strace's clock and ours may differ by. */
const clockMs = 1;

/** Every batch is synced, and a new log's folder too, before it is acknowledged. */
export async function syncOrder(say: Say): Promise<void> {
  const server = await startOwnServer();
  const trace = await traceCalls(await leafPids(server), { calls: `${syncs},${writes}` });
  const acks: { readonly sentMs: number; readonly ackMs: number }[] = [];
  for (let number = 0; number < 100; number++) {
    const sentMs = wallMs();
    await send(server, number);
    acks.push({ sentMs, ackMs: wallMs() });
  }
  await trace.stop();
  const calls: Call[] = [];
  for await (const call of trace.calls()) calls.push(call);
  const inTime = ({ startMs, endMs }: Call, { sentMs, ackMs }: (typeof acks)[number]): boolean =>
    startMs >= sentMs - clockMs && endMs <= ackMs + clockMs;
  const isLog = ({ path }: Call): boolean => /log-\d+\.hdl$/.test(path);
  const isSync = ({ name }: Call): boolean => syncs.split(",").includes(name);
  const synced = acks.filter((ack) => {
    const own = calls.filter((call) => isLog(call) && inTime(call, ack));
    const written = own.filter((call) => !isSync(call));
    const lastMs = Math.max(...written.map(({ endMs }) => endMs));
    return (
      written.length > 0 && own.some((call) => isSync(call) && call.startMs >= lastMs - clockMs)
    );
  });
  const logs = new Set(calls.filter(isLog).map(({ path }) => path));
  const withFolder = [...logs].filter((log) => {
    const folder = log.slice(0, log.lastIndexOf("/"));
    const firstMs = Math.min(...calls.filter(({ path }) => path === log).map(({ endMs }) => endMs));
    const ack = acks.find(({ ackMs }) => ackMs >= firstMs);
    return calls.some((call) => isSync(call) && call.path === folder && call.endMs <= ack!.ackMs);
  });
  say(
    `F8 ${synced.length} of 100 batches were written and synced before their 200; ${withFolder.length} of ${logs.size} new logs had their folder synced before their first 200`,
  );
  await Promise.all([trace.remove(), server.stop()]);
  if (synced.length < 100 || withFolder.length < logs.size) throw new Error("F8 failed");
}

const injections = [
  `fdatasync:error=EIO:when=2+3`,
  `fsync:error=EIO:when=2+3`,
  `pwrite64,pwritev:error=EIO:when=2+3`,
  `pwrite64,pwritev:error=ENOSPC:when=2+3`,
];

interface Outcomes {
  readonly acked: Set<number>;
  readonly refused: Map<string, number>;
}

/** Calls of a leaf fail now and then: what is acknowledged is there after a kill, once. */
export async function failingDisk(say: Say): Promise<void> {
  for (const inject of injections) {
    const dataDir = await mkdtemp(join(tmpdir(), "hadal-faults-"));
    const server = await startOwnServer({ dataDir });
    await send(server, 0);
    const acked = new Set([0]);
    const outcomes: Outcomes = { acked, refused: new Map() };
    const calls = inject.slice(0, inject.indexOf(":"));
    const trace = await traceCalls(await leafPids(server), { calls, inject });
    await sendSome(server, outcomes, 1, 40);
    await trace.stop();
    await trace.remove();
    await sendSome(server, outcomes, 41, 45);
    for (const pid of (await server.pids()).values()) process.kill(pid, "SIGKILL");
    server.child.kill("SIGKILL");
    await new Promise((resolve) => server.child.once("exit", resolve));
    server.client.close();
    const again = await startOwnServer({ dataDir });
    const lost = await lostRows(again, acked);
    const said = [...outcomes.refused].map(([code, count]) => `${count} × ${code}`).join(", ");
    say(
      `F6 ${inject}: ${acked.size} batches acknowledged, ${said || "none"} refused; after kill -9 ${lost}`,
    );
    await again.stop();
    await rm(dataDir, { recursive: true });
  }
}

async function sendSome(
  server: OwnServer,
  { acked, refused }: Outcomes,
  first: number,
  last: number,
): Promise<void> {
  for (let number = first; number <= last; number++) {
    try {
      await send(server, number);
      acked.add(number);
    } catch (error) {
      const code = error instanceof HadalError ? error.code : String(error);
      refused.set(code, (refused.get(code) ?? 0) + 1);
    }
  }
}

/** Throws where an acknowledged row is missing, or any is there twice. */
async function lostRows({ client }: OwnServer, acked: ReadonlySet<number>): Promise<string> {
  const query: Query = {
    ...{ table: "t", from: fromMs, to: fromMs + 1e6, groupBy: ["n"], limit: 10_000 },
    ...{ aggregates: [{ fn: "count" }], exact: true, timeoutMs: 20_000 },
  };
  for (let tries = 0; ; tries++) {
    const result = await client.query(query).catch((error: unknown) => error as Error);
    if (result instanceof Error) {
      if (tries > 100) throw result;
      await sleep(100);
      continue;
    }
    const counts = new Map(result.rows.map(([n, count]) => [Number(n), Number(count)]));
    const missing = [...acked].flatMap((number) =>
      Array.from({ length: rowsEach }, (_, i) => number * rowsEach + i).filter(
        (n) => !counts.has(n),
      ),
    );
    const twice = [...counts.values()].filter((count) => count > 1).length;
    const parts = [...Array(46).keys()].filter((number) => {
      const stored = Array.from({ length: rowsEach }, (_, i) => counts.has(number * rowsEach + i));
      return stored.includes(true) && stored.includes(false);
    });
    const text = `${missing.length} acknowledged rows lost, ${twice} twice, ${parts.length} batches in part`;
    if (missing.length + twice + parts.length > 0) throw new Error(`F6: ${text}`);
    return text;
  }
}
