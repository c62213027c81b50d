import { HadalError, type MachineInfo, type Query } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningHadal, spawnHadal, stopProcess } from "../support/startCluster.js";
import { type ClusterGateway, type Machines, startMachines } from "../support/startMachines.js";
import { waitUntil } from "../support/waitUntil.js";

const startMs = Date.UTC(2025, 2, 1, 10);
let machines: Machines;
let gateway: ClusterGateway;
let third: RunningHadal;

let sentRows = 0;
/** Small batches, so that every leaf that takes rows gets some. */
async function send(count: number): Promise<void> {
  for (let at = 0; at < count; at += 50) {
    const rows = Array.from({ length: Math.min(50, count - at) }, (_, i) =>
      JSON.stringify({ time: startMs + (sentRows + at + i) * 10, n: sentRows + at + i }),
    );
    const options = { contentType: "application/x-ndjson", ack: "durable" } as const;
    const reply = await gateway.client.ingestBody("visits", rows.join("\n"), options);
    expect(reply.rejected).toBe(0);
  }
  sentRows += count;
}

const sums: Query = {
  ...{ table: "visits", from: startMs, to: startMs + 3_600_000 },
  aggregates: [{ fn: "sum", column: "n" }],
};

async function expectAllRows(): Promise<void> {
  const { rows, completeness } = await gateway.client.query(sums);
  expect(rows).toEqual([[(sentRows * (sentRows - 1)) / 2]]);
  expect(completeness).toMatchObject({
    ...{ fraction: 1, rowsAnswered: sentRows, rowsExpected: sentRows, leaves: { missing: [] } },
  });
}

const machineOf = async (name: string): Promise<MachineInfo | undefined> =>
  (await gateway.client.cluster()).machines.find((machine) => machine.name === name);

const untilState = (name: string, state: MachineInfo["state"]): Promise<MachineInfo> =>
  waitUntil(`${name} is ${state}`, async () => {
    const machine = await machineOf(name);
    return machine?.state === state ? machine : null;
  });

const refusalOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => "no refusal",
    (error: unknown) => (error instanceof HadalError ? [error.code, error.status] : error),
  );

async function run(words: readonly string[]): Promise<{ code: unknown; out: string }> {
  const { exited, output } = spawnHadal([...words, "--url", gateway.url]);
  const code = await exited;
  return { code, out: output.out + output.err };
}

beforeAll(async () => {
  machines = await startMachines();
  // A drain moves rows by copies of them, also where there are none otherwise.
  await machines.startAggregator(1, ["--copies", "1"]);
  await machines.startAggregator(2);
  third = await machines.startAggregator(3);
  gateway = await machines.startGateway();
  await send(1_000);
}, 120_000);
afterAll(() => machines.remove(), 60_000);

test("GET /cluster has the machines and the tree of the last query", async () => {
  await expectAllRows();
  const { machines: listed, tree, registryProblem } = await gateway.client.cluster();
  expect(registryProblem).toBe(null);
  expect(listed.map(({ name, state, leaves }) => [name, state, leaves])).toEqual(
    [1, 2, 3].map((n) => [`m${n}`, "alive", [`m${n}-leaf-1`, `m${n}-leaf-2`]]),
  );
  const version = (await gateway.client.status()).members[0]!.version;
  for (const machine of listed) expect(machine).toMatchObject({ version, copies: [] });
  // Statuses of leaves are some seconds old at most.
  await waitUntil("all rows are counted", async () => {
    const { machines: counted } = await gateway.client.cluster();
    return counted.reduce((sum, { rows }) => sum + (rows ?? 0), 0) === sentRows || null;
  });
  const { nodes, edges } = tree!;
  expect(nodes[0]).toMatchObject({ id: "gateway", role: "gateway" });
  expect(new Set(nodes.map(({ id }) => id)).size).toBe(1 + 3 + 6);
  expect(edges.map(({ to }) => to).sort()).toEqual(
    nodes
      .slice(1)
      .map(({ id }) => id)
      .sort(),
  );
  for (const { waitMs } of edges) expect(waitMs).toBeGreaterThan(0);
});

test("members say their machine, who asks them, and how old that is", async () => {
  const { members } = await gateway.client.status();
  const shown = members.map(({ id, role, machine, parent }) => [id, role, machine, parent]);
  expect(shown).toContainEqual(["m2", "aggregator", "m2", null]);
  expect(shown).toContainEqual(["m2-leaf-1", "leaf", "m2", "m2"]);
  expect(shown[0]).toEqual(["gateway", "gateway", "m99", null]);
  for (const { lagMs } of members) expect(lagMs).toBeLessThan(10_000);
});

test("a draining machine gets no new rows, and no answer lacks any; twice is no fault", async () => {
  const asked = await gateway.client.drain("m3");
  expect(asked).toMatchObject({ name: "m3", state: "draining" });
  const again = await gateway.client.drain("m3");
  expect(["draining", "drained"]).toContain(again.state);
  const rowsOf = async (): Promise<number | null> => (await machineOf("m3"))?.rows ?? null;
  const before = await rowsOf();
  expect(before).toBeGreaterThan(0);
  for (let round = 0; round < 5; round++) {
    await send(200);
    await expectAllRows();
  }
  const others = await waitUntil("new rows are counted on the others", async () => {
    const { machines: listed } = await gateway.client.cluster();
    const own = listed.filter(({ name }) => name !== "m3");
    const rows = own.reduce((sum, machine) => sum + (machine.rows ?? 0), 0);
    return rows === sentRows - (before ?? 0) ? rows : null;
  });
  expect(others).toBe(sentRows - (before ?? 0));
  expect(await rowsOf()).toBe(before);
});

test("what cannot be drained says why", async () => {
  const { client } = gateway;
  expect(await refusalOf(client.drain("m7"))).toEqual(["unknown-machine", 404]);
  await client.drain("m2");
  expect(await refusalOf(client.drain("m1"))).toEqual(["last-machine", 409]);
  expect(await client.drain("m2", { drain: false })).toMatchObject({ state: "alive" });
  await send(200);
  await expectAllRows();
  await machines.postgres.stop();
  try {
    expect(await refusalOf(client.drain("m2"))).toEqual(["registry-unavailable", 503]);
    expect(await refusalOf(client.drain("m3", { drain: false }))).toEqual([
      ...["registry-unavailable", 503],
    ]);
    // What is known stays in use.
    const away = await waitUntil("the registry is said to be away", async () => {
      const cluster = await client.cluster();
      return cluster.registryProblem === null ? null : cluster;
    });
    expect(away.machines.map(({ state }) => state)).toEqual([
      ...["alive", "alive", expect.stringMatching(/^drain(ing|ed)$/)],
    ]);
    await send(200);
    await expectAllRows();
  } finally {
    await machines.postgres.start();
  }
});

test("C10: it is drained once others have its rows, and stopped without an incomplete answer", async () => {
  const { code, out } = await run(["drain", "m3", "--wait"]);
  expect([code, out]).toEqual([0, expect.stringContaining("m3 is drained and may be stopped")]);
  const drained = await machineOf("m3");
  expect(drained?.rows).toBeGreaterThan(0);
  await expectAllRows();
  const stopping = stopProcess(third);
  // Before, while and after it stops.
  for (let round = 0; round < 20; round++) await expectAllRows();
  await stopping;
  for (let round = 0; round < 5; round++) {
    await send(100);
    await expectAllRows();
  }
  expect((await machineOf("m3"))?.state).toBe("drained");
  const copies = (await gateway.client.cluster()).machines.flatMap((machine) => machine.copies);
  expect(
    copies
      .filter(({ state }) => state === "whole")
      .map(({ leaf }) => leaf)
      .sort(),
  ).toEqual([...["m3-leaf-1", "m3-leaf-2"]]);
});

test("it comes back draining, and takes rows again when it may", async () => {
  await machines.startAggregator(3);
  await untilState("m3", "drained");
  await expectAllRows();
  const undone = await run(["drain", "m3", "--undo"]);
  expect(undone).toMatchObject({ code: 0, out: expect.stringContaining("m3 is alive") });
  await waitUntil("rows on m3", async () => {
    await send(200);
    await expectAllRows();
    return ((await machineOf("m3"))?.rows ?? 0) > 0 || null;
  });
  const entries = await gateway.client.audit();
  const drains = entries.filter(({ action }) => action.startsWith("machine."));
  expect(drains.map(({ action, target }) => `${action} ${target}`)).toEqual([
    ...["machine.undrain m3", "machine.undrain m2", "machine.drain m2", "machine.drain m3"],
  ]);
});
