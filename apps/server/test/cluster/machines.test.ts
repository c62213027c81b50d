import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { HadalClient, Query, Result } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningHadal } from "../support/startCluster.js";
import { type ClusterGateway, type Machines, startMachines } from "../support/startMachines.js";
import { waitUntil } from "../support/waitUntil.js";

const startMs = Date.UTC(2025, 2, 1, 10);
const services = ["checkout", "search", "home", "help"];
let machines: Machines;
let gateway: ClusterGateway;
let second: RunningHadal;

/** Rows that were sent, from 0 on: row i is of service i % 4. */
let sentRows = 0;
async function send(client: HadalClient, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, i) => {
    const n = sentRows + i;
    return JSON.stringify({ time: startMs + n * 10, service: services[n % 4]!, bytes: n });
  });
  // Small batches, so that every leaf gets some.
  for (let at = 0; at < lines.length; at += 50) {
    const body = lines.slice(at, at + 50).join("\n");
    const reply = await client.ingestBody("visits", body, {
      contentType: "application/x-ndjson",
      ack: "durable",
    });
    expect(reply.rejected).toBe(0);
  }
  sentRows += count;
}

const byService: Query = {
  ...{ table: "visits", from: startMs, to: startMs + 3_600_000, groupBy: ["service"] },
  aggregates: [{ fn: "count" }, { fn: "sum", column: "bytes" }, { fn: "max", column: "bytes" }],
  timeoutMs: 5_000,
};

/** By the rows that were sent. */
function expectedRows(): unknown[] {
  return services.map((service, offset) => {
    const own = Array.from({ length: sentRows / 4 }, (_, i) => 4 * i + offset);
    return [service, own.length, own.length, own.reduce((sum, n) => sum + n, 0), own.at(-1)];
  });
}

const byName = ({ rows }: Result): unknown[] =>
  [...rows].sort((a, b) => services.indexOf(String(a[0])) - services.indexOf(String(b[0])));

beforeAll(async () => {
  machines = await startMachines();
  // Without copies, so that a machine that is killed is missed; `readCopies.test` has them.
  await machines.startAggregator(1, ["--fan-out", "2", "--copies", "1"]);
  second = await machines.startAggregator(2);
  await machines.startAggregator(3);
  gateway = await machines.startGateway();
  await send(gateway.client, 2_000);
}, 120_000);
afterAll(() => machines.remove(), 60_000);

test("S47, S71: a gateway answers over the leaves of all machines", async () => {
  const result = await gateway.client.query(byService);
  expect(byName(result)).toEqual(expectedRows());
  expect(result.completeness).toMatchObject({ fraction: 1, leaves: { answered: 6, total: 6 } });
  // Two parts of three machines: one of them asks its two leaves and another machine.
  const { levels = [] } = result.stats;
  expect(levels.map(({ level, children }) => [level, children])).toEqual([
    [0, 2],
    [1, 3],
    [2, 2],
  ]);
  for (const { waitMs } of levels) expect(waitMs).toBeGreaterThan(0);
  expect(levels[0]?.waitMs).toBeGreaterThan(levels[1]?.waitMs ?? 0);
  const leaves = await waitUntil("rows on every leaf", async () => {
    const { members } = await gateway.client.status();
    const found = members.filter(({ role }) => role === "leaf");
    return found.every(({ rows }) => rows > 0) ? found : null;
  });
  expect(leaves.map(({ id }) => id).sort()).toEqual(
    [1, 2, 3].flatMap((machine) => [1, 2].map((leaf) => `m${machine}-leaf-${leaf}`)),
  );
});

test("M14: every aggregator says how many of its requests may be under way", async () => {
  const counted = await waitUntil("what all have said", async () => {
    const { members } = await gateway.client.status();
    const said = members.flatMap(({ id, requests }) => (requests ? [[id, requests] as const] : []));
    return said.length === 3 ? said : null;
  });
  const windows = { size: expect.any(Number), waiting: 0, lost: expect.any(Number) };
  expect(counted).toEqual(["m1", "m2", "m3"].map((name) => [name, windows]));
  for (const [, { size }] of counted) expect(size).toBeGreaterThan(0);
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  for (const name of ["m1", "m2", "m3"]) {
    expect(text).toMatch(
      new RegExp(`^hadal_machine_window_requests\\{machine="${name}"\\} [1-9]`, "m"),
    );
    expect(text).toContain(`hadal_machine_window_waiting{machine="${name}"} 0`);
  }
});

test("facets, raw rows and live queries work as on one machine", async () => {
  const { client } = gateway;
  const range = { table: "visits", from: startMs, to: startMs + 3_600_000 };
  const facets = await client.facets({ ...range, columns: ["service"] });
  expect(JSON.stringify(facets)).toContain('"checkout"');
  const { rows } = await client.query({ ...range, sampleView: {}, limit: 3 });
  expect(rows).toHaveLength(3);
});

test("S110, S113: the planner plans the cluster that runs, by its own times", async () => {
  const { client } = gateway;
  await client.query(byService);
  expect((await client.query(byService)).stats.predictedMs).toEqual(expect.any(Number));
  const plan = await client.plan({ shape: "groups" });
  expect(plan).toMatchObject({
    planned: { machines: 3, leaves: 2, fanOut: 2, table: "visits" },
    levels: 2,
    tree: [{ aggregators: 1 }, { aggregators: 2 }, { aggregators: 3, children: 2 }],
    predictedMs: expect.any(Number) as number,
  });
  // Between machines, though all of them are on this one.
  expect(plan.notes.join()).not.toContain("inside one machine");
});

test("C10: a machine that joins gets rows at once", async () => {
  await machines.startAggregator(4);
  const rowsOfNew = await waitUntil("rows on the new machine", async () => {
    await send(gateway.client, 400);
    const { members } = await gateway.client.status();
    const own = members.filter(({ id }) => id.startsWith("m4-"));
    return own.some(({ rows }) => rows > 0) ? own.length : null;
  });
  expect(rowsOfNew).toBe(2);
  const result = await gateway.client.query(byService);
  expect(byName(result)).toEqual(expectedRows());
  expect(result.completeness).toMatchObject({ fraction: 1, leaves: { total: 8 } });
});

test("F1, F2: a machine that is killed is missing, whichever tree asks, and comes back with its rows", async () => {
  second.child.kill("SIGKILL");
  await second.exited;
  // Each query has another tree: the dead machine is first in some.
  for (let i = 0; i < 6; i++) {
    const { completeness, rows } = await gateway.client.query(byService);
    expect(completeness.leaves.missing).toEqual(["m2-leaf-1", "m2-leaf-2"]);
    const counted = rows.reduce((sum, cells) => sum + Number(cells[1]), 0);
    expect(counted).toBe(completeness.rowsAnswered);
    expect(completeness.rowsExpected).toBe(sentRows);
    expect(completeness.fraction).toBeLessThan(1);
  }
  await machines.startAggregator(2);
  const whole = await waitUntil("all rows", async () => {
    const result = await gateway.client.query(byService);
    return result.completeness.fraction === 1 ? result : null;
  });
  expect(byName(whole)).toEqual(expectedRows());
});

test("the registry is away: queries and rows go on", async () => {
  await machines.postgres.stop();
  try {
    await send(gateway.client, 200);
    const result = await gateway.client.query(byService);
    expect(byName(result)).toEqual(expectedRows());
    expect(result.completeness.fraction).toBe(1);
  } finally {
    await machines.postgres.start();
  }
});

test.each([
  [
    "another key",
    ["--role", "aggregator", "--cluster-key-file", "WRONG"],
    "The key is not that of",
  ],
  [
    "the name of another member",
    ["--role", "aggregator", "--machine", "m1"],
    "The machine name m1 is in use",
  ],
  [
    "another fan-out",
    ["--role", "aggregator", "--fan-out", "7"],
    "--fan-out is 7; the cluster's is 2.",
  ],
  [
    "another number of copies",
    ["--role", "aggregator", "--copies", "2"],
    "--copies is 2; the cluster's is 1.",
  ],
  ["a fan-out of 1", ["--role", "aggregator", "--fan-out", "1"], "a whole number from 2 to 8"],
  [
    "no Hadal to join",
    ["--role", "aggregator", "--join", "ftp://127.0.0.1:9"],
    "is an address such as postgres://",
  ],
])("a member with %s is refused in one line", async (_, flags, message) => {
  const wrong = join(machines.folder, "wrong-key");
  await writeFile(wrong, "another key of other people");
  const started = machines.spawn(
    50,
    flags.map((flag) => (flag === "WRONG" ? wrong : flag)),
  );
  expect(await started.exited).not.toBe(0);
  expect(started.output.err).toContain(message);
  expect(started.output.out).toBe("");
});

test("a data folder of another cluster is refused, and stays as it is", async () => {
  const folder = await mkdtemp(join(machines.folder, "copy-"));
  const other = await machines.postgres.createDatabase();
  await cp(join(machines.folder, "m1", "cluster.json"), join(folder, "cluster.json"));
  const started = machines.spawn(51, [
    ...["--role", "aggregator", "--join", other, "--data-dir", folder],
  ]);
  expect(await started.exited).not.toBe(0);
  expect(started.output.err).toContain("belongs to another cluster");
  await rm(folder, { recursive: true });
});
