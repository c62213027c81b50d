import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { HadalClient, Query } from "@hadal/sdk";
import { Waits } from "../../test/support/load/waits.js";
import { type OwnServer, startOwnServer } from "./ownServer.js";

const fromMs = Date.UTC(2026, 0, 1);
const bodyRows = 4_096;
const smallSegments = 120;
const phaseMs = 15_000;
const askersMax = 8;
const form = { contentType: "application/x-ndjson" } as const;

/**
 * Merging of small segments beside queries (C8): what it costs queries that come now and then, and
 * whether it goes on while queries never pause.
 */
export async function backgroundWork(say: (line: string) => void): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "hadal-bench-"));
  const server = await startOwnServer({ dataDir, args: ["--seal-after", "1"] });
  try {
    await fill(server, 0);
    await untilMerged(dataDir);
    say(`C8 queries while nothing is merged: ${(await askNowAndThen(server.client)).print()}`);
    await fill(server, 1);
    const [before, waits] = [await countSegments(dataDir), await askNowAndThen(server.client)];
    say(
      `C8 while segments are merged, ${before} -> ${await countSegments(dataDir)}: ${waits.print()}`,
    );
    await untilMerged(dataDir);
    await fill(server, 2);
    const busy = await countSegments(dataDir);
    const flood = await askWithoutPause(server.client);
    say(
      `C8 while ${askersMax} clients ask without a pause, ${busy} -> ${await countSegments(dataDir)} segments: ${flood.print()}`,
    );
    say(`C8 merged ${((await untilMerged(dataDir)) / 1_000).toFixed(1)} s after they ended`);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true });
  }
}

/** Bodies that become a small segment each: one is sealed before the next one comes. */
async function fill({ client }: OwnServer, round: number): Promise<void> {
  for (let body = 0; body < smallSegments; body++) {
    const first = (round * smallSegments + body) * bodyRows;
    const lines = Array.from({ length: bodyRows }, (_, i) => {
      const n = first + i;
      return `{"time":${fromMs + n},"n":${n},"service":"s${n % 20}","user":"u${(n * 31) % 9_001}"}`;
    });
    // A table a body in turn: each has its own open segment.
    await client.ingestBody(`t${body % 12}`, lines.join("\n"), form);
    if (body % 12 === 11) await sleep(1_100);
  }
}

async function countSegments(dataDir: string): Promise<number> {
  const files = await readdir(dataDir, { recursive: true });
  return files.filter((file) => file.endsWith(".hds")).length;
}

/** Resolves, with the milliseconds, when the number of segments has not fallen for some rounds of upkeep. */
async function untilMerged(dataDir: string): Promise<number> {
  const startedMs = performance.now();
  for (let last = Number.POSITIVE_INFINITY, lastMs = startedMs; ; ) {
    const count = await countSegments(dataDir);
    if (count < last) [last, lastMs] = [count, performance.now()];
    if (performance.now() - lastMs > 6_000) return lastMs - startedMs;
    await sleep(250);
  }
}

const queryOf = (i: number): Query => ({
  ...{ table: `t${i % 12}`, from: fromMs - i, to: fromMs + 10_000_000, timeoutMs: 10_000 },
  ...{ groupBy: ["user"], aggregates: [{ fn: "sum", column: "n" }], limit: 10 },
});

async function askNowAndThen(client: HadalClient): Promise<Waits> {
  const waits = new Waits();
  const endMs = performance.now() + phaseMs;
  for (let i = 0; performance.now() < endMs; i++) {
    await waits.measure(() => client.query(queryOf(i)));
    await sleep(100);
  }
  return waits;
}

async function askWithoutPause(client: HadalClient): Promise<Waits> {
  const waits = new Waits();
  const endMs = performance.now() + phaseMs;
  let asked = 1_000;
  const askers = Array.from({ length: askersMax }, async () => {
    while (performance.now() < endMs) await waits.measure(() => client.query(queryOf(asked++)));
  });
  await Promise.all(askers);
  return waits;
}
