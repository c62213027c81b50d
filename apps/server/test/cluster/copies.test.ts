import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { AckLevel, Query } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { descendantsOf } from "../support/processTree.js";
import { type RunningHadal, spawnHadal, stopProcess } from "../support/startCluster.js";
import { type ClusterGateway, type Machines, startMachines } from "../support/startMachines.js";
import { waitUntil } from "../support/waitUntil.js";

const startMs = Date.UTC(2025, 2, 1, 10);
const rowCount = 3_000;
let machines: Machines;
let gateway: ClusterGateway;
let first: RunningHadal;
let second: RunningHadal;

const all: Query = {
  ...{ table: "visits", from: startMs, to: startMs + 3_600_000, timeoutMs: 5_000 },
  aggregates: [{ fn: "count" }, { fn: "sum", column: "n" }, { fn: "distinct", column: "name" }],
};

async function send(from: number, count: number, ack: AckLevel = "durable"): Promise<void> {
  for (let at = from; at < from + count; at += 50) {
    const lines = Array.from({ length: 50 }, (_, i) =>
      JSON.stringify({ time: startMs + (at + i) * 10, n: at + i, name: `name-${(at + i) % 17}` }),
    );
    const options = { contentType: "application/x-ndjson", ack };
    await gateway.client.ingestBody("visits", lines.join("\n"), options);
  }
}

/** As an operator waits: until each row is on two machines. */
async function untilCopied(): Promise<void> {
  const waiting = spawnHadal(["status", "--wait-copies", "--url", gateway.url]);
  expect(await waiting.exited).toBe(0);
  expect(waiting.output.out).not.toContain("fewer machines");
}

beforeAll(async () => {
  machines = await startMachines();
  // The others do as the first one does.
  first = await machines.startAggregator(1, ["--cluster-tls"]);
  second = await machines.startAggregator(2);
  gateway = await machines.startGateway();
  await send(0, rowCount);
}, 120_000);
afterAll(async () => {
  await machines.remove();
}, 60_000);

const expected = (count: number) => [[count, count, (count * (count - 1)) / 2, 17]];

/** As a machine goes that loses its power: the supervisor and all of its processes. */
async function killMachine({ child }: RunningHadal): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const processes = await descendantsOf(child.pid!);
  for (const pid of [child.pid!, ...processes]) process.kill(pid, "SIGKILL");
  await ended;
}

test("L11: a machine that lost its disk reads its rows from the copies", async () => {
  await untilCopied();
  await stopProcess(second);
  await rm(join(machines.folder, "m2"), { recursive: true });
  second = await machines.startAggregator(2);
  const result = await waitUntil("all rows", async () => {
    const answer = await gateway.client.query(all);
    return answer.completeness.fraction === 1 ? answer : null;
  });
  expect(result.rows).toEqual(expected(rowCount));
}, 120_000);

test("C9: with ack=replicated rows outlive their machine and its disk", async () => {
  await untilCopied();
  await send(rowCount, 1_000, "replicated");
  await killMachine(second);
  await rm(join(machines.folder, "m2"), { recursive: true });
  // Its name is free once the cluster takes it for dead.
  second = await waitUntil("the machine joins", () =>
    machines.startAggregator(2).catch(() => null),
  );
  const result = await waitUntil("all rows", async () => {
    const answer = await gateway.client.query(all);
    return answer.completeness.fraction === 1 ? answer : null;
  });
  expect(result.rows).toEqual(expected(rowCount + 1_000));
}, 120_000);

test("rows that no copy has are not acknowledged as replicated", async () => {
  await untilCopied();
  await killMachine(second);
  const row = JSON.stringify({ time: startMs, n: 0, name: "name-0" });
  const options = { contentType: "application/x-ndjson", ack: "replicated" } as const;
  await expect(gateway.client.ingestBody("visits", row, options)).rejects.toMatchObject({
    code: "unavailable",
    errors: [expect.objectContaining({ code: "not-copied" })],
  });
}, 60_000);

async function sendEvents(time: number, ack: AckLevel): Promise<void> {
  const lines = Array.from({ length: 200 }, (_, i) => JSON.stringify({ time: time + i, n: i }));
  const options = { contentType: "application/x-ndjson", ack };
  await gateway.client.ingestBody("events", lines.join("\n"), options);
}

test("C9: a copy that starts while its leaf is lost is asked; what it lacks is counted", async () => {
  await killMachine(first);
  first = await machines.startAggregator(1);
  const { completeness, rows } = await waitUntil("rows of both machines", async () => {
    // While the machine is away there is nothing to answer with.
    const answer = await gateway.client.query(all).catch(() => null);
    return answer?.completeness.leaves.missing.length === 0 ? answer : null;
  });
  // One more was refused, and is there if the first machine got it.
  expect(Number(rows[0]?.[1])).toBeGreaterThanOrEqual(rowCount + 1_000);
  expect(completeness.fraction).toBeGreaterThan(0.999);
  const { machines: listed } = await gateway.client.cluster();
  const held = listed.find(({ name }) => name === "m1")?.copies ?? [];
  expect(held.map(({ leaf, state }) => [leaf, state])).toEqual([
    ["m2-leaf-1", "building"],
    ["m2-leaf-2", "building"],
  ]);
  second = await machines.startAggregator(2);
}, 60_000);

test("I4: a copy that does not know what its leaf has removed since is not asked", async () => {
  await untilCopied();
  for (let i = 0; i < 16; i++) await sendEvents(Date.now() - 3_600_000, "replicated");
  await untilCopied();
  const recent: Query = { table: "events", from: "-2h", to: "now", aggregates: [{ fn: "count" }] };
  await killMachine(first);
  const retention = { maxAgeMs: 1_800_000, maxBytes: null };
  const left = await waitUntil("rows of the machine that is there are removed", async () => {
    await gateway.client.setTable("events", { retention });
    const { completeness } = await gateway.client.query(recent);
    const { rowsExpected = 3_200 } = completeness;
    return rowsExpected < 3_200 ? rowsExpected : null;
  });
  // As many new ones, which the copies do not have.
  for (let rows = left; rows < 3_200; rows += 200) await sendEvents(Date.now() - 1_000, "durable");
  await killMachine(second);
  first = await machines.startAggregator(1);
  const { completeness } = await waitUntil("rows of one machine", async () => {
    const answer = await gateway.client.query(recent).catch(() => null);
    return answer?.completeness.leaves.answered === 2 ? answer : null;
  });
  expect(completeness.leaves.missing.length).toBeGreaterThan(0);
  expect(completeness.fraction).toBeLessThan(1);
  // Its disk is lost, too: what is left is better than nothing, where its operator says so.
  await rm(join(machines.folder, "m2"), { recursive: true });
  await waitUntil("the machine is taken for dead", async () => {
    const { machines: listed } = await gateway.client.cluster();
    return listed.find(({ name }) => name === "m2")?.state === "dead" ? true : null;
  });
  second = await machines.startAggregator(2, ["--accept-old-copies"]);
  // Once its rows have been compared with the ledger: until then old ones stand for those that are lost.
  await waitUntil("rows of both machines, some of which are lost", async () => {
    const answer = await gateway.client.query(recent).catch(() => null);
    const { fraction, leaves } = answer?.completeness ?? {};
    return leaves?.answered === 4 && fraction! < 1 ? true : null;
  });
}, 120_000);
