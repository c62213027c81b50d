import { startMachines } from "../../test/support/startMachines.js";
import { measureTimes, type Times } from "./measureTimes.js";
import { scanQuery, sendRequests } from "./requestRows.js";

const machineCount = 4;
/** So few that what remains is the way through the tree. */
const rowCount = 20_000;
/** 8: the root asks all machines itself; 2: each of them asks another one. */
const fanOuts = [8, 2] as const;

export interface LevelTimes extends Times {
  readonly fanOut: number;
  /** Of aggregators between the root and the leaves, and the leaves. */
  readonly levels: number;
}

/** What levels of a tree cost: the same query without levels in between and with them. */
export async function timesOfLevels(runs: number): Promise<readonly LevelTimes[]> {
  const found: LevelTimes[] = [];
  for (const fanOut of fanOuts) {
    const machines = await startMachines();
    try {
      const flags = ["--leaves", "1", "--copies", "1", "--fan-out", String(fanOut)];
      for (let number = 1; number <= machineCount; number++)
        await machines.startAggregator(number, flags);
      const { client } = await machines.startGateway();
      await sendRequests(client, { from: 0, count: rowCount });
      const times = await measureTimes(client, scanQuery(29), runs);
      const { stats } = await client.query(scanQuery(29));
      found.push({ ...times, fanOut, levels: stats.levels?.length ?? 0 });
    } finally {
      await machines.remove();
    }
  }
  return found;
}
