import { setTimeout as sleep } from "node:timers/promises";
import type { Query } from "@hadal/sdk";
import type { Say } from "./machines/machineFault.js";
import { type OwnServer, startOwnServer } from "./ownServer.js";

const fromMs = Date.UTC(2026, 0, 1);
const storedRows = 1_000_000;
/** Together with what earlier sends left open, less than two leaves seal at once. */
const newRows = 40_000;
const pairs = 150;

const lines = (first: number, count: number): string =>
  Array.from({ length: count }, (_, i) => {
    const n = first + i;
    return `{"time":${fromMs + n},"user":"u${(n * 7_919) % 5_021}","ms":${n % 997}}`;
  }).join("\n");

const all = {
  table: "t",
  from: fromMs,
  to: fromMs + 1e9,
  timeoutMs: 10_000,
} as const;
const questions: Readonly<Record<string, Query>> = {
  count: { ...all, filter: [{ column: "ms", op: ">", value: 500 }] },
  "p95 by user": {
    ...{ ...all, groupBy: ["user"], limit: 10 },
    aggregates: [{ fn: "percentile", column: "ms", p: 95 }],
  },
};

async function openRows({ client }: OwnServer): Promise<number> {
  const { ingest } = await client.status();
  return ingest.stages?.find(({ stage }) => stage === "open")?.rows ?? 0;
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** What rows that are not sealed cost a query that reads them, beside the same rows sealed. */
export async function openStage(say: Say): Promise<void> {
  const [open, sealed] = [
    await startOwnServer({ args: ["--seal-after", "86400"] }),
    await startOwnServer({ args: ["--seal-after", "1"] }),
  ];
  for (const { client } of [open, sealed])
    for (let sent = 0; sent < storedRows + newRows; sent += newRows)
      await client.ingestBody("t", lines(sent, newRows), { contentType: "application/x-ndjson" });
  while ((await openRows(sealed)) > 0) await sleep(200);
  const rows = await openRows(open);
  for (const [name, query] of Object.entries(questions)) {
    const takes: [number[], number[]] = [[], []];
    for (let pair = 0; pair < 2 * pairs; pair++) {
      const which = pair % 2 === 0 ? 0 : 1;
      const startMs = performance.now();
      await (which === 0 ? open : sealed).client.query(query);
      // The code is compiled while the first are asked.
      if (pair >= pairs / 2) takes[which].push(performance.now() - startMs);
    }
    const [withOpen, withoutOpen] = [medianOf(takes[0]), medianOf(takes[1])];
    say(
      `open stage, ${name} of ${storedRows + newRows} rows: ${withOpen.toFixed(2)} ms with ${rows} of them open, ${withoutOpen.toFixed(2)} ms with all sealed`,
    );
  }
  await open.stop();
  await sealed.stop();
}
