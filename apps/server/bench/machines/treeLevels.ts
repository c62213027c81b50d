import type { HadalClient } from "@hadal/sdk";
import { type Machines, startMachines } from "../../test/support/startMachines.js";
import { measureTimes, type Times } from "./measureTimes.js";
import { scanQuery, sendRequests } from "./requestRows.js";

const machineCount = 4;
/** So few that what remains is the way through the tree. */
const rowCount = 20_000;
/** 8: the root asks all machines itself; 2: each of them asks another one. */
const fanOuts = [8, 2] as const;
/** In turns, so that what else this machine does costs both the same. */
const rounds = 5;

export interface LevelTimes extends Times {
  readonly fanOut: number;
  /** Between the root and the rows: the last one is the leaves. */
  readonly levels: number;
}

/** What levels of a tree cost: the same query with few of them and with more. */
export async function timesOfLevels(runs: number): Promise<readonly LevelTimes[]> {
  const started: Machines[] = [];
  try {
    const clients: HadalClient[] = [];
    for (const fanOut of fanOuts) {
      const machines = await startMachines();
      started.push(machines);
      clients.push(await startTree(machines, fanOut));
    }
    const times: Times[][] = fanOuts.map(() => []);
    for (let round = 0; round < rounds; round++) {
      for (const [i, client] of clients.entries())
        times[i]!.push(await measureTimes(client, scanQuery(29), Math.ceil(runs / rounds)));
    }
    return await Promise.all(
      fanOuts.map(async (fanOut, i) => {
        const { stats } = await clients[i]!.query(scanQuery(29));
        return { ...together(times[i]!), fanOut, levels: stats.levels?.length ?? 0 };
      }),
    );
  } finally {
    for (const machines of started) await machines.remove();
  }
}

async function startTree(machines: Machines, fanOut: number): Promise<HadalClient> {
  const flags = ["--leaves", "1", "--copies", "1", "--fan-out", String(fanOut)];
  for (let number = 1; number <= machineCount; number++)
    await machines.startAggregator(number, flags);
  const { client } = await machines.startGateway();
  await sendRequests(client, { from: 0, count: rowCount });
  return client;
}

const together = (times: readonly Times[]): Times => ({
  meanMs: times.reduce((sum, { meanMs }) => sum + meanMs, 0) / times.length,
  minMs: Math.min(...times.map(({ minMs }) => minMs)),
  maxMs: Math.max(...times.map(({ maxMs }) => maxMs)),
});
