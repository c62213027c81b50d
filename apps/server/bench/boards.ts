import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createClient, type HadalClient, type Result } from "@hadal/sdk";
import { WebSocket } from "ws";
import { boardTiles } from "./board/boardTiles.js";
import { fillDemo } from "./board/fillDemo.js";
import { type OwnServer, startOwnServer } from "./fault/ownServer.js";

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "3000000" },
    rounds: { type: "string", default: "15" },
    viewers: { type: "string", default: "50" },
  },
});
const rounds = Number(values.rounds);
const viewers = Number(values.viewers);
const everyMs = 10_000;
/** The kernel's ticks of processor time in a second. */
const ticks = 100;

/** When the first and the last answer of every tile came, in ms from the request. */
interface Round {
  readonly firstMs: number;
  readonly finalMs: number;
}

function askBoard(client: HadalClient): Promise<Round> {
  const startMs = performance.now();
  const seen = new Set<string>();
  let [firstMs, open] = [0, boardTiles.length];
  return new Promise((resolve, reject) => {
    client.batch(boardTiles, {
      onResult(tile, { final }) {
        seen.add(tile);
        const ms = performance.now() - startMs;
        if (seen.size === boardTiles.length && firstMs === 0) firstMs = ms;
        if (final && --open === 0) resolve({ firstMs, finalMs: ms });
      },
      onProblem: (tile, problem) => reject(new Error(`${tile}: ${problem.message}`)),
    });
  });
}

/** Seconds of processor time that processes took so far: the gateway's, and all leaves'. */
async function cpuOf(server: OwnServer): Promise<{ gateway: number; leaves: number }> {
  const spent = { gateway: 0, leaves: 0 };
  for (const [id, pid] of await server.pids()) {
    const [user = 0, system = 0] = (await readFile(`/proc/${pid}/stat`, "utf8"))
      .split(") ")[1]!
      .split(" ")
      .slice(11, 13)
      .map(Number);
    spent[id === "gateway" ? "gateway" : "leaves"] += (user + system) / ticks;
  }
  return spent;
}

async function costOf(
  server: OwnServer,
  work: () => Promise<void>,
): Promise<{ gateway: number; leaves: number }> {
  const before = await cpuOf(server);
  await work();
  const after = await cpuOf(server);
  return { gateway: after.gateway - before.gateway, leaves: after.leaves - before.leaves };
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
const ms = (value: number): string => `${value.toFixed(0)} ms`;

/** One person opens the board again and again. */
async function oneViewer(server: OwnServer): Promise<void> {
  for (let i = 0; i < 5; i++) await askBoard(server.client);
  const taken: Round[] = [];
  const { gateway, leaves } = await costOf(server, async () => {
    for (let i = 0; i < rounds; i++) taken.push(await askBoard(server.client));
  });
  const first = median(taken.map(({ firstMs }) => firstMs));
  const last = median(taken.map(({ finalMs }) => finalMs));
  say(
    `board: ${boardTiles.length} tiles: every first answer ${ms(first)}, every final one ${ms(last)}; processor time of gateway ${ms((gateway / rounds) * 1_000)}, of leaves ${ms((leaves / rounds) * 1_000)}`,
  );
}

/** What leaves spend while the board is asked again every ten seconds, by one person and by many. */
async function manyViewers(server: OwnServer): Promise<void> {
  let scanned = 0;
  const listeners = {
    onResult: (_: string, { final, stats }: Result) => {
      if (final && stats.cache === "miss") scanned++;
    },
    onProblem: (tile: string, problem: Error) => say(`${tile}: ${problem.message}`),
  };
  const watch = async (count: number) => {
    scanned = 0;
    const cost = await costOf(server, async () => {
      const clients: HadalClient[] = [];
      // Each begins at a time of its own.
      for (let i = 0; i < count; i++) {
        const client = createClient({ url: server.url, webSocket: WebSocket as never });
        clients.push(client);
        client.batch(liveTiles, { everyMs, ...listeners });
        await sleep(everyMs / count);
      }
      await sleep(everyMs * 2 - 1_000);
      for (const client of clients) client.close();
    });
    return { ...cost, scanned };
  };
  const one = await watch(1);
  const many = await watch(viewers);
  say(
    `viewers: ${viewers} of one board cost leaves ${(many.leaves / one.leaves).toFixed(2)} times one (${one.leaves.toFixed(1)} -> ${many.leaves.toFixed(1)} s), the gateway ${(many.gateway / one.gateway).toFixed(2)} times (${one.gateway.toFixed(1)} -> ${many.gateway.toFixed(1)} s); tiles that were scanned for: ${one.scanned} -> ${many.scanned}`,
  );
}

/** As the page asks them: an answer that another viewer was given since the last round will do. */
const liveTiles = boardTiles.map(({ tile, query }) => ({
  tile,
  query: { ...query, freshnessMs: everyMs },
}));

const server = await startOwnServer();
say(`board: sending ${values.rows} rows of the demo`);
await fillDemo(server.url, Number(values.rows));
say("board: asking");
await oneViewer(server);
await manyViewers(server);
await server.stop();
process.exit(0);
