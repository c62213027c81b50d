import { join } from "node:path";
import type { HadalClient } from "@hadal/sdk";
import { median } from "../../src/base/number/median.js";
import { fullScan } from "../query/scanQueries.js";
import type { ThreadScan } from "../report/benchReport.js";
import { say } from "../report/say.js";
import { events } from "../table/eventTables.js";
import { startBenchCluster } from "./benchCluster.js";
import { TableLoader } from "./loadTables.js";
import { warmUp } from "./warmUp.js";

const rowsMax = 10_000_000;
const runs = 31;

/** What one leaf reads in a second with one scan thread, and with two over the same memory. */
export async function measureThreadScaling(
  folder: string,
  total: number,
): Promise<readonly ThreadScan[]> {
  const dataDir = join(folder, "threads");
  const rows = Math.min(total, rowsMax);
  const scans: ThreadScan[] = [];
  for (const threads of [1, 2]) {
    const flags = ["--scan-threads", String(threads)];
    // The second time over the files of the first.
    const cluster = await startBenchCluster(1, dataDir, flags);
    try {
      if (threads === 1) {
        await new TableLoader(events, { total: rows, cluster, folder: null }).loadTo(1);
      }
      say(`full-scan by one leaf with ${threads} of its threads …`);
      const gbPerSecond = await cluster.serve((client) => scanSpeed(client));
      scans.push({ threads, rows, gbPerSecond });
    } finally {
      await cluster.stop();
    }
  }
  return scans;
}

async function scanSpeed(client: HadalClient): Promise<number> {
  const times: number[] = [];
  let bytes = 0;
  await warmUp(client, [fullScan.query]);
  for (let run = 0; run < runs; run++) {
    const { stats } = await client.query(fullScan.query);
    bytes = stats.bytesScanned!;
    times.push(stats.elapsedMs);
  }
  return bytes / median(times) / 1e6;
}
