import { readdir, readFile } from "node:fs/promises";
import { type ClientRequest, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { apiBase, type Query } from "@hadal/sdk";
import { WebSocket } from "ws";
import type { FaultyMachines } from "./faultyMachines.js";
import { type MachineFault, ms } from "./machineFault.js";

const sampleEveryMs = 25;
const watchedMs = 1_500;
/** Of processor time, that leaves have spent on a query which is then called off. */
const workedMs = 300;
const roundCount = 5;

/** A query whose function takes a tenth of a millisecond for each row: seconds of work on every leaf. */
function slowQuery({ byBatch }: FaultyMachines, round: string): Query {
  return {
    ...{ table: byBatch.table, from: byBatch.from, to: byBatch.to, timeoutMs: 60_000 },
    derive: [
      {
        as: "d",
        js: `(row) => { var x = ${round.length}; for (var i = 0; i < 1000; i++) x += (row.n ?? 0) % (i + 1); switch (0) {} return x; }`,
      },
    ],
    aggregates: [{ fn: "sum", column: "d", as: `s${round.length}` }],
  } as Query;
}

/** Nanoseconds of processor time that all threads of these processes have had. */
async function processorTime(pids: readonly number[]): Promise<number> {
  const ofProcess = async (pid: number): Promise<number> => {
    const tasks = await readdir(`/proc/${pid}/task`).catch((): string[] => []);
    const texts = await Promise.all(
      tasks.map((task) => readFile(`/proc/${pid}/task/${task}/schedstat`, "utf8").catch(() => "0")),
    );
    return texts.reduce((sum, text) => sum + Number(text.split(" ")[0]), 0);
  };
  const times = await Promise.all(pids.map(ofProcess));
  return times.reduce((sum, time) => sum + time, 0);
}

/** Asks, and calls off in one way. */
interface Calling {
  readonly end: () => void;
}

type Way = (cluster: FaultyMachines, query: Query) => Promise<Calling>;

function post({ gateway }: FaultyMachines, query: Query, id: string): ClientRequest {
  const headers = { "content-type": "application/json", "x-query-id": id };
  const url = `${gateway.url}${apiBase}/query`;
  const asking = request(url, { method: "POST", headers, agent: false });
  asking.on("error", () => undefined).on("response", (response) => response.resume());
  asking.end(JSON.stringify({ query }));
  return asking;
}

const ways: Readonly<Record<string, Way>> = {
  "DELETE /query/ID": async (cluster, query) => {
    const id = `slow-${Math.random()}`;
    post(cluster, query, id);
    const url = `${cluster.gateway.url}${apiBase}/query/${id}`;
    return { end: () => void fetch(url, { method: "DELETE" }) };
  },
  "a connection that is reset": async (cluster, query) => {
    const asking = post(cluster, query, "slow-reset");
    return { end: () => void asking.socket?.resetAndDestroy() };
  },
  "a connection that is closed": async (cluster, query) => {
    const asking = post(cluster, query, "slow-closed");
    return { end: () => void asking.destroy() };
  },
  "a live socket that is closed": async (cluster, query) => {
    const socket = new WebSocket(`${cluster.gateway.url.replace("http", "ws")}${apiBase}/live`);
    await new Promise((resolve) => socket.once("open", resolve));
    socket.send(JSON.stringify({ kind: "subscribe", id: "a", query }));
    return { end: () => socket.close() };
  },
};

/** Of a core, how much these processes take when nothing is asked. */
async function idleShare(pids: readonly number[]): Promise<number> {
  const [before, startMs] = [await processorTime(pids), performance.now()];
  await sleep(watchedMs);
  return ((await processorTime(pids)) - before) / 1e6 / (performance.now() - startMs);
}

interface Stopped {
  /** After the cancel, until the machines do no more than when nothing is asked. */
  readonly wallMs: number;
  /** Processor time of all machines after the cancel, without what they take when nothing is asked. */
  readonly processorMs: number;
}

async function stopsAfter(
  cluster: FaultyMachines,
  pids: readonly number[],
  way: Way,
  round: string,
): Promise<Stopped> {
  const idle = await idleShare(pids);
  const before = await processorTime(pids);
  const calling = await way(cluster, slowQuery(cluster, round));
  await cluster.until("the leaves work", async () => {
    return (await processorTime(pids)) - before > workedMs * 1e6;
  });
  calling.end();
  const endMs = performance.now();
  let lastBusyMs = 0;
  const first = { time: await processorTime(pids), atMs: performance.now() };
  let last = first;
  while (performance.now() - endMs < watchedMs) {
    await sleep(sampleEveryMs);
    const now = { time: await processorTime(pids), atMs: performance.now() };
    const share = (now.time - last.time) / 1e6 / (now.atMs - last.atMs);
    if (share > 2 * idle + 0.1) lastBusyMs = now.atMs - endMs;
    last = now;
  }
  const spentMs = (last.time - first.time) / 1e6;
  return {
    wallMs: lastBusyMs,
    processorMs: Math.max(0, spentMs - idle * (last.atMs - first.atMs)),
  };
}

/** F21: a query that is called off stops on every leaf, through two levels of aggregators. */
export const cancelled: MachineFault = async (cluster, say) => {
  await cluster.untilCopied();
  const { stats } = await cluster.gateway.client.query(cluster.byBatch);
  const levels = stats.levels?.length ?? 0;
  const lists = await Promise.all(cluster.numbers.map((number) => cluster.pidsOf(number)));
  for (const [name, way] of Object.entries(ways)) {
    const stops: Stopped[] = [];
    for (let round = 1; round <= roundCount; round++) {
      // Sandboxes are processes, too, and start with the first function.
      const pids = (
        await Promise.all(cluster.numbers.map((number) => cluster.pidsOf(number)))
      ).flat();
      stops.push(await stopsAfter(cluster, pids, way, "x".repeat(round)));
      await cluster.untilRight();
    }
    const walls = stops.map(({ wallMs }) => wallMs).sort((a, b) => a - b);
    const mostMs = Math.max(...stops.map(({ processorMs }) => processorMs));
    say(
      `F21 ${name}: ${lists.length} leaves, ${levels} levels, stop after ${walls.map(ms).join(", ")}, at most ${ms(mostMs)} of processor time of all leaves together`,
    );
  }
};
