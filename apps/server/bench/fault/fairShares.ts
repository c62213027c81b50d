import { request } from "node:http";
import type { Query } from "@hadal/sdk";
import { type OwnServer, startOwnServer } from "./ownServer.js";

const rowCount = 4_000_000;
const fromMs = Date.UTC(2026, 0, 1);
const heavyCount = 50;
const quietCount = 500;
const busyMs = 15_000;

const whole: Query = { table: "t", from: fromMs, to: fromMs + rowCount, timeoutMs: 60_000 };
const heavy = (i: number): Query => ({
  ...{ ...whole, groupBy: ["s"], limit: 10 },
  filter: [{ column: "n", op: ">=", value: i }],
  aggregates: [{ fn: "percentile", p: 95, column: "ms" }],
});
const light = (i: number): Query => ({
  ...{ ...whole, to: fromMs + rowCount / 10 - i, groupBy: ["ms"], limit: 10 },
  aggregates: [{ fn: "count" }],
});

/** How long one person's light queries take while another has fifty heavy ones under way. */
export async function fairShares(say: (line: string) => void): Promise<void> {
  const server = await startOwnServer();
  await fill(server);
  let asked = 0;
  const askLight = () => server.client.query(light(asked++ % 10_000));
  // Compiled, and in the caches.
  for (let i = 0; i < 200; i++) await askLight();
  const quiet = await waitsWhile(askLight, (waits) => waits.length < quietCount);
  const endMs = performance.now() + busyMs;
  let heavyDone = 0;
  const others = Array.from({ length: heavyCount }, async (_, i) => {
    for (let n = i; performance.now() < endMs; n += heavyCount) {
      await askElsewhere(server, heavy(n));
      heavyDone++;
    }
  });
  const beside = await waitsWhile(askLight, () => performance.now() < endMs);
  await Promise.all(others);
  const [before, after] = [quantile(quiet, 0.99), quantile(beside, 0.99)];
  say(
    `shares: light queries beside ${heavyCount} heavy ones of another (${heavyDone} done): p50 ${ms(quantile(quiet, 0.5))} -> ${ms(quantile(beside, 0.5))}, p99 ${ms(before)} -> ${ms(after)}, ${(after / before).toFixed(1)} times`,
  );
  await server.stop();
}

async function fill({ client }: OwnServer): Promise<void> {
  for (let n = 0; n < rowCount; n += 40_000) {
    const lines = Array.from({ length: 40_000 }, (_, i) => {
      const at = n + i;
      return `{"time":${fromMs + at},"n":${at},"s":"u${at % 200_000}","ms":${at % 997}}`;
    });
    await client.ingestBody("t", lines.join("\n"), { contentType: "application/x-ndjson" });
  }
}

/** In milliseconds, in ascending order. */
async function waitsWhile(
  ask: () => Promise<unknown>,
  goesOn: (waits: readonly number[]) => boolean,
): Promise<readonly number[]> {
  const waits: number[] = [];
  while (goesOn(waits)) {
    const startMs = performance.now();
    await ask();
    waits.push(performance.now() - startMs);
  }
  return waits.sort((a, b) => a - b);
}

/** From another address, which counts as another person. */
function askElsewhere({ port }: OwnServer, query: Query): Promise<void> {
  return new Promise((resolve, reject) => {
    const asking = request({
      ...{ port, host: "127.0.0.1", localAddress: "127.0.0.2", method: "POST" },
      ...{ path: "/api/v1/query", headers: { "content-type": "application/json" } },
    });
    asking.on("response", (response) => response.resume().on("end", resolve));
    asking.on("error", reject);
    asking.end(JSON.stringify({ query }));
  });
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? 0;
const ms = (value: number): string => `${value.toFixed(1)} ms`;
