import { setTimeout as sleep } from "node:timers/promises";
import type { Query } from "@hadal/sdk";
import type { Say } from "./machines/machineFault.js";
import { startOwnServer } from "./ownServer.js";

const fromMs = Date.UTC(2026, 0, 1);
const batchRows = 5_000;
const maxBytes = 16 * 2 ** 20;
const forMsMin = 30_000;
/** On a busy machine it takes longer until as many rows have gone as the bound leaves. */
const forMsMax = 300_000;

/** Rows go as fast as they come, while queries run: oldest first, and no answer is torn. */
export async function expiryUnderLoad(say: Say): Promise<void> {
  const server = await startOwnServer({ args: ["--leaves", "1"] });
  const { client } = server;
  await client.setTable("t", { retention: { maxAgeMs: null, maxBytes } });
  const startMs = performance.now();
  let sent = 0;
  let oldest = 0;
  const goesOn = (): boolean => {
    const tookMs = performance.now() - startMs;
    return tookMs < forMsMin || (2 * oldest < sent && tookMs < forMsMax);
  };
  const sending = async (): Promise<void> => {
    while (goesOn()) {
      const lines = Array.from({ length: batchRows }, (_, i) => {
        const n = sent + i;
        // Digits that repeat nowhere: rows take some bytes.
        const id = (n * 2_654_435_761) % 2 ** 32;
        return `{"time":${fromMs + n},"n":${n},"id":${id},"s":"session ${id}"}`;
      });
      const options = { contentType: "application/x-ndjson" } as const;
      await client.ingestBody("t", lines.join("\n"), options);
      sent += batchRows;
    }
  };
  let [asked, peak] = [0, 0];
  const asking = async (): Promise<void> => {
    const query: Query = {
      ...{ table: "t", from: fromMs, to: fromMs + 1e9, timeoutMs: 10_000 },
      aggregates: [{ fn: "count" }, { fn: "min", column: "n" }, { fn: "max", column: "n" }],
    };
    while (goesOn()) {
      await sleep(100);
      if (sent === 0) continue;
      const { rows, completeness } = await client.query(query);
      // The count comes twice: of events, and of rows.
      const [count = 0, , min = 0, max = 0] = (rows[0] ?? []).map(Number);
      if (completeness.fraction !== 1 || count !== max - min + 1 || min < oldest)
        throw new Error(
          `F24: rows ${min} to ${max}, but ${count} of them (${completeness.fraction})`,
        );
      oldest = min;
      asked++;
    }
  };
  const watching = async (): Promise<void> => {
    while (goesOn()) {
      await sleep(250);
      const { tables } = await client.status();
      peak = Math.max(peak, tables.find(({ name }) => name === "t")?.bytes ?? 0);
    }
  };
  await Promise.all([sending(), asking(), watching()]);
  const tookS = ((performance.now() - startMs) / 1_000).toFixed(0);
  await sleep(3_000);
  const { tables } = await client.status();
  const last = tables.find(({ name }) => name === "t")?.bytes ?? 0;
  const share = (bytes: number): string => `${((100 * bytes) / maxBytes).toFixed(1)} %`;
  say(
    `F24 ${sent} rows in ${tookS} s, the oldest ${oldest} removed: ${asked} answers without a hole; at most ${share(peak)} of the bound while they came, ${share(last)} after`,
  );
  await server.stop();
  if (oldest === 0 || last > 1.05 * maxBytes) throw new Error("F24 failed");
}
