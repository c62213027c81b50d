import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Query } from "@hadal/sdk";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WarmFolder } from "../../src/store/warm/warmFolder.js";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { waitUntil } from "../support/waitUntil.js";

const startMs = Date.UTC(2026, 0, 1);
const rowCount = 70_000;
const environment = { HADAL_WARM_RESTART: "1", HADAL_SEAL_AFTER: "1" };

let dataDir = "";
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "hadal-test-"));
});
afterEach(async () => {
  // The last server has left its rows there, too.
  for (const leaf of ["leaf-1", "leaf-2"]) new WarmFolder(join(dataDir, leaf)).remove();
  await rm(dataDir, { recursive: true, force: true });
});

const start = (): Promise<Cluster> => startCluster({ leaves: 2, dataDir, environment });

async function fill({ client }: Cluster): Promise<void> {
  for (let first = 0; first < rowCount; first += 10_000) {
    const lines = Array.from({ length: 10_000 }, (_, i) => {
      const n = first + i;
      const row = { time: startMs + n * 50, n, user: `u${n % 501}`, text: `request ${n} is over` };
      return JSON.stringify({ ...row, stack: ["main", `frame ${n % 97}`] });
    });
    await client.ingestBody("t", lines.join("\n"), { contentType: "application/x-ndjson" });
  }
}

const range = { table: "t", from: startMs, to: startMs + rowCount * 50, timeoutMs: 20_000 };
const queries: readonly Query[] = [
  { ...range, aggregates: [{ fn: "count" }, { fn: "sum", column: "n" }] },
  { ...range, groupBy: ["user"], aggregates: [{ fn: "max", column: "n" }], limit: 600 },
  {
    ...{ ...range, filter: [{ column: "text", op: "contains", value: "99 is" }] },
    aggregates: [{ fn: "count" }],
  },
  { ...range, groupBy: ["stack"], aggregates: [{ fn: "percentile", column: "n", p: 99 }] },
];
const answers = ({ client }: Cluster) =>
  Promise.all(
    queries.map(async (query) => {
      const { rows, completeness } = await client.query(query);
      return { rows, fraction: completeness.fraction };
    }),
  );

test("F14: a server that stops and starts reads its rows from shared memory, and answers as before", async () => {
  const first = await start();
  await fill(first);
  await waitUntil("the files of all segments", async () => {
    const files = await readdir(dataDir, { recursive: true });
    return files.some((file) => file.endsWith(".hdl")) ? null : true;
  });
  const expected = await answers(first);
  await first.stop();
  expect(first.output.err).toMatch(/leaf-1: left \d+ segments of \d+ MiB in shared memory/);
  const second = await start();
  try {
    expect(second.output.err).toMatch(/leaf-1: read [1-9]\d* segments .* from shared memory/);
    expect(second.output.err).toMatch(/leaf-2: read [1-9]\d* segments .* from shared memory/);
    expect(await answers(second)).toEqual(expected);
    // An end without order leaves nothing to doubt: the next start reads the disk.
    for (const pid of (await second.leafPids()).values()) process.kill(pid, "SIGKILL");
    await waitUntil("all rows", async () => {
      // While no leaf answers, a query is refused.
      const now = await answers(second).catch(() => null);
      return now?.every(({ fraction }) => fraction === 1) === true ? true : null;
    });
    expect(await answers(second)).toEqual(expected);
  } finally {
    await second.stop();
  }
}, 120_000);
