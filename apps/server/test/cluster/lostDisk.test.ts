import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Query } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { descendantsOf } from "../support/processTree.js";
import type { RunningHadal } from "../support/startCluster.js";
import { type ClusterGateway, type Machines, startMachines } from "../support/startMachines.js";
import { waitUntil as waitFor } from "../support/waitUntil.js";

/** A machine without its disk may join once the cluster takes it for dead. */
const waitMsMax = 45_000;
const waitUntil = <T>(what: string, ask: () => Promise<T | null> | T | null): Promise<T> =>
  waitFor(what, ask, waitMsMax);

const startMs = Date.UTC(2025, 2, 1, 10);
let machines: Machines;
let gateway: ClusterGateway;
let first: RunningHadal;
let second: RunningHadal;
let sent = 0;

const flags = ["--leaves", "1"];
const all: Query = {
  ...{ table: "visits", from: startMs, to: startMs + 3_600_000, timeoutMs: 5_000 },
  aggregates: [{ fn: "count" }, { fn: "sum", column: "n" }],
};

const row = (n: number): string => JSON.stringify({ time: startMs + n, n });
const send = (n: number, ack: "durable" | "replicated") =>
  gateway.client.ingestBody("visits", row(n), {
    contentType: "application/x-ndjson",
    ...{ ack, idempotencyKey: `row-${n}` },
  });

async function expectAll(): Promise<void> {
  const { rows } = await waitUntil("all rows", async () => {
    const answer = await gateway.client.query(all).catch(() => null);
    return answer?.completeness.fraction === 1 ? answer : null;
  });
  expect(rows).toEqual([[sent, sent, (sent * (sent - 1)) / 2]]);
}

async function kill({ child, exited }: RunningHadal): Promise<void> {
  const { pid = 0 } = child;
  for (const one of [pid, ...(await descendantsOf(pid))]) process.kill(one, "SIGKILL");
  await exited;
}

const rowsOf = async (leafId: string): Promise<number> => {
  const { members } = await gateway.client.status();
  return members.find(({ id }) => id === leafId)?.rows ?? 0;
};

beforeAll(async () => {
  machines = await startMachines();
  first = await machines.startAggregator(1, flags);
  second = await machines.startAggregator(2, flags);
  gateway = await machines.startGateway();
  for (; sent < 40; sent++)
    await waitUntil("a copy", () => send(sent, "replicated").catch(() => null));
}, 120_000);
afterAll(() => machines.remove(), 60_000);

test("a machine whose disk is deleted while it runs takes no more rows, and answers", async () => {
  const before = await waitUntil("the status of all rows", async () => {
    const [one, two] = [await rowsOf("m1-leaf-1"), await rowsOf("m2-leaf-1")];
    return one + two === sent ? two : null;
  });
  await rm(join(machines.folder, "m2"), { recursive: true });
  for (let end = sent + 20; sent < end; sent++) await send(sent, "durable");
  await expectAll();
  expect(await rowsOf("m2-leaf-1")).toBe(before);
  await kill(second);
  second = await waitUntil("the machine joins", () =>
    machines.startAggregator(2, flags).catch(() => null),
  );
  await expectAll();
}, 180_000);

test("rows that a machine lost with its disk before a copy had them are stored when they come again", async () => {
  await waitUntil("whole copies", async () => {
    const { machines: listed } = await gateway.client.cluster();
    const whole = listed.flatMap(({ copies }) => copies.filter(({ state }) => state === "whole"));
    return whole.length === 2 ? true : null;
  });
  await kill(first);
  await waitUntil("a row on one machine", async () => {
    const error = await send(sent, "replicated").catch((reason: unknown) => reason);
    const codes = ((error as { errors?: { code: string }[] }).errors ?? []).map(({ code }) => code);
    return codes.includes("not-copied") ? true : null;
  });
  first = await waitUntil("the other machine is back", () =>
    machines.startAggregator(1, flags).catch(() => null),
  );
  await kill(second);
  await rm(join(machines.folder, "m2"), { recursive: true });
  second = await waitUntil("the machine joins", () =>
    machines.startAggregator(2, [...flags, "--accept-old-copies"]).catch(() => null),
  );
  await waitUntil("the row on two machines", () => send(sent, "replicated").catch(() => null));
  sent++;
  await expectAll();
}, 180_000);

test("a machine without its disk waits for the one that has its rows", async () => {
  for (const one of [first, second]) await kill(one);
  await waitUntil("both are taken for dead", async () => {
    const { machines: listed } = await gateway.client.cluster();
    return listed.every(({ state }) => state === "dead") ? true : null;
  });
  await rm(join(machines.folder, "m2"), { recursive: true });
  const joining = machines.startAggregator(2, flags);
  first = await machines.startAggregator(1, flags);
  second = await joining;
  await expectAll();
}, 180_000);

test("a machine that loses its disk before others have said that they have copies waits for their word", async () => {
  const young = await startMachines();
  try {
    await young.startAggregator(1, flags);
    let lost = await young.startAggregator(2, flags);
    const { client } = await young.startGateway();
    const options = { contentType: "application/x-ndjson", ack: "replicated" } as const;
    for (let n = 0; n < 8; n++) {
      const key = { ...options, idempotencyKey: `row-${n}` };
      await waitUntil("a copy", () => client.ingestBody("visits", row(n), key).catch(() => null));
    }
    await kill(lost);
    await rm(join(young.folder, "m2"), { recursive: true });
    lost = await waitUntil("the machine joins", () =>
      young.startAggregator(2, flags).catch(() => null),
    );
    await waitUntil("the machine is asked itself", async () => {
      const { machines: listed } = await client.cluster();
      return listed.every(({ state }) => state === "alive") ? true : null;
    });
    const { rows } = await waitUntil("all rows", async () => {
      const answer = await client.query(all).catch(() => null);
      return answer?.completeness.fraction === 1 ? answer : null;
    });
    expect(rows).toEqual([[8, 8, 28]]);
    await kill(lost);
  } finally {
    await young.remove();
  }
}, 180_000);
