import type { HadalClient, Query, Result } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listMembers } from "../../src/registry/member/members.js";
import { openRegistry } from "../../src/registry/openRegistry.js";
import type { Registry } from "../../src/registry/registry.js";
import { partitionsNotWhole } from "../../src/role/cluster/copyPlacement.js";
import { descendantsOf } from "../support/processTree.js";
import type { RunningHadal } from "../support/startCluster.js";
import { type ClusterGateway, type Machines, startMachines } from "../support/startMachines.js";
import { waitUntil } from "../support/waitUntil.js";

const startMs = Date.UTC(2025, 2, 1, 10);
const names = Array.from({ length: 40 }, (_, i) => `name-${i}`);
let machines: Machines;
let gateway: ClusterGateway;
let registry: Registry | undefined;
const running: RunningHadal[] = [];
let sentRows = 0;

async function send(client: HadalClient, count: number): Promise<void> {
  for (let at = sentRows; at < sentRows + count; at += 50) {
    const lines = Array.from({ length: 50 }, (_, i) =>
      JSON.stringify({ time: startMs + (at + i) * 10, n: at + i, name: names[(at + i) % 40]! }),
    );
    const options = { contentType: "application/x-ndjson", ack: "durable" } as const;
    await client.ingestBody("visits", lines.join("\n"), options);
  }
  sentRows += count;
}

const byName: Query = {
  ...{ table: "visits", from: startMs, to: startMs + 3_600_000, groupBy: ["name"], limit: 50 },
  ...{ aggregates: [{ fn: "count" }, { fn: "sum", column: "n" }], timeoutMs: 8_000 },
};

/** By the rows that were sent. */
function expectAll({ rows, completeness }: Result): void {
  expect(completeness).toMatchObject({ fraction: 1, leaves: { answered: 6, total: 6 } });
  const found = new Map(rows.map((cells) => [cells[0], [cells[1], cells[2], cells[3]]]));
  const expected = names.map((name, first) => {
    const own = Array.from({ length: sentRows / 40 }, (_, i) => 40 * i + first);
    return [name, [own.length, own.length, own.reduce((sum, n) => sum + n, 0)]] as const;
  });
  expect(found).toEqual(new Map(expected));
}

const stateOf = async (name: string): Promise<string | undefined> =>
  (await listMembers(registry!)).find((member) => member.name === name)?.state;

/** Waits until the gateway knows that each partition is on two machines, with all rows. */
const untilCopied = () =>
  waitUntil("whole copies", async () => {
    const members = await listMembers(registry!);
    const lacking = partitionsNotWhole({ members, copiesWanted: 2 });
    const isWhole = members.length === 4 && lacking.length === 0;
    return isWhole && (await metric("hadal_partitions_copied")) === 6 ? true : null;
  });

/** Sends a signal to a machine's aggregator, its leaves and copies. */
async function signalAll(machine: RunningHadal, signal: NodeJS.Signals): Promise<void> {
  const { pid = 0 } = machine.child;
  for (const one of [pid, ...(await descendantsOf(pid))]) process.kill(one, signal);
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
}

beforeAll(async () => {
  machines = await startMachines();
  for (const number of [1, 2, 3]) running.push(await machines.startAggregator(number));
  gateway = await machines.startGateway();
  registry = await openRegistry({
    ...{ dataDir: machines.folder, databaseUrl: machines.database },
    warn: (text) => expect.fail(text),
  });
  await send(gateway.client, 4_000);
  await untilCopied();
}, 120_000);
afterAll(async () => {
  await registry?.close();
  await machines.remove();
}, 60_000);

test("C9, L11: a machine is killed, and every answer stays complete and right", async () => {
  const [, second] = running;
  expectAll(await gateway.client.query(byName));
  await signalAll(second!, "SIGKILL");
  // First the list of members says that it is alive, then that it is suspect, then that it is dead.
  const states = new Set<string>();
  await waitUntil("the machine is dead", async () => {
    expectAll(await gateway.client.query(byName));
    states.add((await stateOf("m2"))!);
    return states.has("dead") ? true : null;
  });
  expect([...states]).toEqual(["alive", "suspect", "dead"]);
  expect(await metric("hadal_partitions_replaced_total")).toBeGreaterThan(0);
  // Rows go to the other machines meanwhile.
  await send(gateway.client, 400);
  expectAll(await gateway.client.query(byName));
  running[1] = await machines.startAggregator(2);
  await waitUntil("the machine is back", async () => {
    expectAll(await gateway.client.query(byName));
    return (await stateOf("m2")) === "alive" ? true : null;
  });
  await untilCopied();
}, 90_000);

test("I4: of a machine that is killed while rows come, at most the last rows are missing, and said to be", async () => {
  const [, second] = running;
  let isOver = false;
  const sending = (async () => {
    while (!isOver) await send(gateway.client, 200);
  })();
  const before = sentRows;
  await waitUntil("rows", () => (sentRows > before + 1_000 ? true : null));
  await signalAll(second!, "SIGKILL");
  await waitUntil("the machine is dead", async () => {
    const { completeness } = await gateway.client.query(byName);
    expect(completeness.leaves).toMatchObject({ answered: 6, missing: [] });
    return (await stateOf("m2")) === "dead" ? true : null;
  });
  isOver = true;
  await sending;
  const { rows, completeness } = await gateway.client.query(byName);
  const counted = rows.reduce((sum, cells) => sum + Number(cells[1]), 0);
  expect(counted).toBe(completeness.rowsAnswered);
  expect(completeness.leaves.missing).toEqual([]);
  expect(completeness.fraction).toBeGreaterThan(0.98);
  running[1] = await machines.startAggregator(2);
  await waitUntil("all rows", async () =>
    (await gateway.client.query(byName)).completeness.fraction === 1 ? true : null,
  );
  expectAll(await gateway.client.query(byName));
}, 90_000);

test("C9: a machine that hangs is read from copies, and few partitions are asked twice for it", async () => {
  const [, , third] = running;
  await untilCopied();
  await signalAll(third!, "SIGSTOP");
  try {
    await waitUntil("an answer without the machine", async () => {
      const result = await gateway.client.query({ ...byName, timeoutMs: 1_500 });
      expect(result.completeness.rowsAnswered).toBeLessThanOrEqual(sentRows);
      return result.completeness.fraction === 1 ? result : null;
    }).then(expectAll);
    await waitUntil("the machine is suspect", async () =>
      (await stateOf("m3")) === "alive" ? null : true,
    );
    expectAll(await gateway.client.query(byName));
  } finally {
    await signalAll(third!, "SIGCONT");
  }
  const hedged = await metric("hadal_partitions_hedged_total");
  expect(hedged).toBeLessThanOrEqual(0.1 * (await metric("hadal_partitions_asked_total")));
}, 60_000);

test("C9, I7: a leaf that is busy shares its queries with its copy, and every answer is right", async () => {
  await untilCopied();
  const { members } = await gateway.client.status();
  const { pid } = members.find(({ id }) => id === "m2-leaf-1")!;
  const movedBefore = await metric("hadal_partitions_moved_total");
  process.kill(pid!, "SIGSTOP");
  try {
    // No two are the same: one execution would answer both. The first of them wait for the leaf.
    const asked = Array.from({ length: 12 }, (_, i) => ({ ...byName, from: startMs - i }));
    for (const answer of await Promise.all(asked.map((one) => gateway.client.query(one)))) {
      expectAll(answer);
    }
  } finally {
    process.kill(pid!, "SIGCONT");
  }
  expect(await metric("hadal_partitions_moved_total")).toBeGreaterThan(movedBefore);
  expectAll(await gateway.client.query(byName));
}, 60_000);

test("C9: a gateway that starts while a machine is dead knows its columns from copies", async () => {
  const [first] = running;
  await untilCopied();
  await signalAll(first!, "SIGKILL");
  await waitUntil("the machine is dead", async () =>
    (await stateOf("m1")) === "dead" ? true : null,
  );
  gateway.process.child.kill("SIGTERM");
  await gateway.process.exited;
  gateway = await machines.startGateway();
  expectAll(await gateway.client.query(byName));
}, 60_000);
