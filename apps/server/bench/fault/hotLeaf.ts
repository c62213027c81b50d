import { setTimeout as sleep } from "node:timers/promises";
import type { HadalClient, Query } from "@hadal/sdk";
import { startMachines } from "../../test/support/startMachines.js";

const fromMs = Date.UTC(2026, 0, 1);
const rowCount = 120_000;
const batchRows = 10_000;
const forMs = 8_000;
const askersMax = 4;
/** Of each turn, the hot leaf does nothing of ours for so long. */
const [turnMs, stolenMs] = [500, 480];
const flags = ["--leaves", "1", "--leaf-memory", "256", "--scan-threads", "1"];

/** Three machines, of one of which something else takes most of a leaf's processor (C9). */
export async function hotLeaf(say: (line: string) => void): Promise<void> {
  const machines = await startMachines();
  for (const number of [1, 2, 3]) await machines.startAggregator(number, flags);
  const { client, url } = await machines.startGateway();
  await load(client);
  say(`C9 all leaves alike: ${await askFor(client)}`);
  const { members } = await client.status();
  const pid = members.find(({ id }) => id === "m1-leaf-1")?.pid ?? 0;
  const release = slowDown(pid);
  const hot = await askFor(client);
  release();
  say(`C9 one leaf has ${100 - (100 * stolenMs) / turnMs} % of its processor: ${hot}`);
  const text = await (await fetch(`${url}/metrics`)).text();
  say([...text.matchAll(/^hadal_partitions_(asked|moved|hedged|replaced)_total \d+/gm)].join("; "));
  await machines.remove();
}

async function load(client: HadalClient): Promise<void> {
  for (let at = 0; at < rowCount; at += batchRows) {
    const lines = Array.from({ length: batchRows }, (_, i) => {
      const n = at + i;
      return `{"time":${fromMs + n},"n":${n},"user":"u${(n * 7_919) % 20_000}"}`;
    });
    const options = { contentType: "application/x-ndjson", ack: "replicated" } as const;
    for (let isIn = false; !isIn; ) {
      const key = { ...options, idempotencyKey: `batch-${at}` };
      isIn = await client.ingestBody("t", lines.join("\n"), key).then(
        () => true,
        () => false,
      );
    }
  }
  while (((await client.cluster()).notWhole ?? []).length > 0) await sleep(100);
}

/** Asks from several clients at once; no two questions are the same. */
async function askFor(client: HadalClient): Promise<string> {
  const startMs = performance.now();
  const took: number[] = [];
  let [asked, partial] = [0, 0];
  const askers = Array.from({ length: askersMax }, async () => {
    while (performance.now() - startMs < forMs) {
      const query: Query = {
        ...{ table: "t", from: fromMs - ++asked, to: fromMs + 10_000_000, timeoutMs: 10_000 },
        ...{ groupBy: ["user"], aggregates: [{ fn: "sum", column: "n" }], limit: 10 },
      };
      const askedMs = performance.now();
      const { completeness } = await client.query(query);
      took.push(performance.now() - askedMs);
      if (completeness.fraction < 1) partial++;
    }
  });
  await Promise.all(askers);
  took.sort((a, b) => a - b);
  const at = (share: number): string => took[Math.floor(took.length * share)]!.toFixed(0);
  const perS = (took.length / (forMs / 1_000)).toFixed(1);
  return `${perS} queries/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${partial} partial`;
}

/** Stops a process for most of each turn, until it is called off. */
function slowDown(pid: number): () => void {
  let isOver = false;
  const stealing = async (): Promise<void> => {
    while (!isOver) {
      process.kill(pid, "SIGSTOP");
      await sleep(stolenMs);
      process.kill(pid, "SIGCONT");
      await sleep(turnMs - stolenMs);
    }
  };
  void stealing();
  return () => {
    isOver = true;
  };
}
