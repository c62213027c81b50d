import { setTimeout as sleep } from "node:timers/promises";
import { createClient, type Query } from "@hadal/sdk";
import type { Say } from "./machines/machineFault.js";
import { startOwnServer } from "./ownServer.js";

const fromMs = Date.UTC(2026, 0, 1);
const storedRows = 1_000_000;
const batchRows = 1_000;
const sendEveryMs = 100;
const boundsS = [0, 5, 10, 15] as const;
/** Longer than the loosest bound, so that answers grow too old for it too. */
const forMs = 12_000;
const askEveryMs = 250;

const lines = (first: number, count: number): string =>
  Array.from({ length: count }, (_, i) => {
    const n = first + i;
    return `{"time":${fromMs + n},"user":"u${(n * 7_919) % 5_021}","ms":${n % 997}}`;
  }).join("\n");

/** As panels ask: each of them another question over all rows. */
const questions: readonly Query[] = [50, 90, 95, 99].map((p) => ({
  ...{ table: "t", from: fromMs, to: fromMs + 1e9, groupBy: ["user"], limit: 10 },
  ...{ aggregates: [{ fn: "percentile", column: "ms", p }], timeoutMs: 10_000 },
}));

/**
 * How long answers take by how old they may be, while rows come (LazyBase, Figure 6): with a looser
 * bound more of them are given again, and the others wait for fewer.
 */
export async function freshnessBounds(say: Say): Promise<void> {
  const server = await startOwnServer();
  const { client } = server;
  const ndjson = { contentType: "application/x-ndjson" } as const;
  let sent = 0;
  for (; sent < storedRows; sent += 40_000)
    await client.ingestBody("t", lines(sent, 40_000), ndjson);
  for (const boundS of boundsS) {
    const endMs = performance.now() + forMs;
    const takes: number[] = [];
    let [scans, oldestMs] = [0, 0];
    const sending = async (): Promise<void> => {
      while (performance.now() < endMs) {
        await client.ingestBody("t", lines(sent, batchRows), ndjson);
        sent += batchRows;
        await sleep(sendEveryMs);
      }
    };
    const asking = async (query: Query): Promise<void> => {
      // A reader's answers never go back in time: what another question was answered by now would rule out older answers.
      const reader = createClient({ url: server.url });
      while (performance.now() < endMs) {
        const askedMs = Date.now();
        const startMs = performance.now();
        const { stats, asOf } = await reader.query({ ...query, freshnessMs: boundS * 1_000 });
        takes.push(performance.now() - startMs);
        if (stats.cache === "miss") scans++;
        oldestMs = Math.max(oldestMs, askedMs - asOf);
        if (askedMs - asOf > boundS * 1_000 + 1)
          throw new Error(`an answer of ${askedMs - asOf} ms ago, with a bound of ${boundS} s`);
        await sleep(askEveryMs);
      }
      reader.close();
    };
    await Promise.all([sending(), ...questions.map(asking)]);
    takes.sort((a, b) => a - b);
    const at = (share: number): string =>
      `${takes[Math.floor(share * (takes.length - 1))]!.toFixed(1)} ms`;
    say(
      `freshness ${boundS} s: ${takes.length} answers, ${scans} of them scanned; median ${at(0.5)}, p95 ${at(0.95)}; the oldest was of ${(oldestMs / 1_000).toFixed(1)} s ago`,
    );
  }
  await server.stop();
}
