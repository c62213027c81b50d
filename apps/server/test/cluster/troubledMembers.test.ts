import { join } from "node:path";
import type { AckLevel, Query } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LimitedFolder, limitedFolder } from "../support/fullDisk.js";
import { descendantsOf } from "../support/processTree.js";
import { type RunningHadal, spawnHadal, stopProcess } from "../support/startCluster.js";
import { type ClusterGateway, type Machines, startMachines } from "../support/startMachines.js";
import { waitUntil } from "../support/waitUntil.js";

const startMs = Date.UTC(2025, 2, 1, 10);
let machines: Machines;
let first: RunningHadal;
let second: RunningHadal;
let gateway: ClusterGateway;
/** Of the copies that the second machine holds. */
let copies: LimitedFolder;
let sentRows = 0;

const all: Query = {
  ...{ table: "visits", from: startMs, to: startMs + 3_600_000, timeoutMs: 5_000 },
  aggregates: [{ fn: "count" }, { fn: "sum", column: "n" }],
};

/** Batches of 50 rows. */
async function send(batches: number, ack: AckLevel = "durable"): Promise<void> {
  for (let i = 0; i < batches; i++) {
    const lines = Array.from({ length: 50 }, (_, row) => {
      const n = sentRows + row;
      return JSON.stringify({ time: startMs + n * 10, n, text: `${n} of ${"many ".repeat(20)}` });
    });
    sentRows += lines.length;
    const options = { contentType: "application/x-ndjson", ack } as const;
    await gateway.client.ingestBody("visits", lines.join("\n"), options);
  }
}

async function expectAll(): Promise<void> {
  const { rows, completeness } = await gateway.client.query(all);
  expect(completeness.fraction).toBe(1);
  expect(rows).toEqual([[sentRows, sentRows, (sentRows * (sentRows - 1)) / 2]]);
}

const copiesOfSecond = async () => {
  const { machines: listed, notWhole = [] } = await gateway.client.cluster();
  return { notWhole, copies: listed.find(({ name }) => name === "m2")?.copies ?? [] };
};

const untilWhole = () =>
  waitUntil("whole copies", async () => {
    const { notWhole, copies: held } = await copiesOfSecond();
    return notWhole.length === 0 && held.length === 2 ? held : null;
  });

beforeAll(async () => {
  machines = await startMachines();
  copies = await limitedFolder(join(machines.folder, "m2", "copies"));
  first = await machines.startAggregator(1);
  second = await machines.startAggregator(2);
  gateway = await machines.startGateway();
  await send(40);
  await untilWhole();
}, 120_000);
afterAll(async () => {
  await copies?.remove();
  await machines?.remove();
}, 60_000);

test("F5: the disk of a copy is full: rows go on, it is said, and the copy catches up", async () => {
  await copies.fill(second.child.pid!);
  await send(40);
  await expectAll();
  await waitUntil("the status says which copies are not whole, and why", async () => {
    const { notWhole, copies: held } = await copiesOfSecond();
    const isSaid = held.every(
      ({ state, problem }) => state === "building" && problem !== undefined,
    );
    return isSaid && notWhole.length === 2 ? true : null;
  });
  const shown = spawnHadal(["status", "--url", gateway.url]);
  expect(await shown.exited).toBe(0);
  const problem =
    /the copy of m1-leaf-[12] on m2 does not go on: (no space left on device|file too large)\n/;
  expect(shown.output.out).toMatch(problem);

  // Several requests, since rows of the second machine have a copy on the first one.
  const refused = await waitUntil("rows without a copy", async () => {
    const row = JSON.stringify({ time: startMs + sentRows * 10, n: sentRows, text: "one more" });
    sentRows++;
    const reply = await fetch(`${gateway.url}/api/v1/tables/visits/rows?ack=replicated`, {
      ...{ method: "POST", body: row, headers: { "content-type": "application/x-ndjson" } },
    });
    return reply.status === 200 ? null : reply;
  });
  expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([503, 1]);
  expect(await refused.json()).toMatchObject({
    ...{ code: "unavailable", errors: [{ code: "not-copied" }] },
    detail: expect.stringContaining("not on a second machine"),
  });
  await expectAll();

  await copies.free();
  await untilWhole();
  await send(1, "replicated");
  for (const pid of [first.child.pid!, ...(await descendantsOf(first.child.pid!))]) {
    process.kill(pid, "SIGKILL");
  }
  // The copies have all of it.
  await expectAll();
}, 60_000);

test("a machine at an address where nobody is is named as not reached, and gets no rows", async () => {
  const third = await machines.startAggregator(3, ["--advertise", "127.0.0.4:9"]);
  const found = await waitUntil("the machine", async () => {
    const { machines: listed } = await gateway.client.cluster();
    return listed.find(({ name, problem }) => name === "m3" && problem !== undefined) ?? null;
  });
  expect(found).toMatchObject({
    ...{ state: "alive", address: "127.0.0.4:9" },
    problem: expect.stringMatching(/^nothing answers at 127\.0\.0\.4:9; .*--advertise/),
  });
  await send(10);
  await expectAll();
  const shown = spawnHadal(["status", "--url", gateway.url]);
  expect(await shown.exited).toBe(0);
  expect(shown.output.out).toContain("m3 says that it is alive, but nothing answers at");
  await stopProcess(third);
});
