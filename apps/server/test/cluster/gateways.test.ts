import type { Completeness, HadalClient, Query } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ClusterGateway, type Machines, startMachines } from "../support/startMachines.js";
import { waitUntil } from "../support/waitUntil.js";

let machines: Machines;
let one: ClusterGateway;
let two: ClusterGateway;
let sentRows = 0;

/** Rows of the last minutes, some each time, so that every leaf gets some. */
async function send(client: HadalClient, count: number, table = "visits"): Promise<void> {
  const nowMs = Date.now();
  const lines = Array.from({ length: count }, (_, i) =>
    JSON.stringify({ time: nowMs - i * 100, service: `s${i % 4}`, bytes: i }),
  );
  for (let at = 0; at < lines.length; at += 20) {
    const body = lines.slice(at, at + 20).join("\n");
    const options = { contentType: "application/x-ndjson", ack: "durable" } as const;
    const reply = await client.ingestBody(table, body, options);
    expect(reply.rejected).toBe(0);
  }
  if (table === "visits") sentRows += count;
}

const counted = (table = "visits"): Query => ({
  ...{ table, from: Date.now() - 3_600_000, to: Date.now() + 60_000 },
  ...{ aggregates: [{ fn: "count" }], timeoutMs: 5_000 },
});

async function count(
  { client }: ClusterGateway,
  table = "visits",
): Promise<{ readonly rows: number; readonly completeness: Completeness }> {
  const { rows, completeness } = await client.query(counted(table));
  return { rows: Number(rows[0]?.[0] ?? 0), completeness };
}

/** Waits until a gateway expects all rows that were sent, and has an answer of all of them. */
const untilWhole = (gateway: ClusterGateway): Promise<Completeness> =>
  waitUntil("all rows are expected, and answered", async () => {
    const { rows, completeness } = await count(gateway);
    // Never more than there is, however long the counts take.
    if (completeness.known !== false && completeness.fraction === 1) expect(rows).toBe(sentRows);
    const isWhole = completeness.known !== false && completeness.rowsExpected === sentRows;
    return isWhole ? completeness : null;
  });

beforeAll(async () => {
  machines = await startMachines();
  await machines.startAggregator(1, ["--fan-out", "2"]);
  await machines.startAggregator(2);
  one = await machines.startGateway(98);
  two = await machines.startGateway(99);
}, 120_000);
afterAll(() => machines.remove(), 60_000);

test("S80: rows through two gateways are expected, and whole, at both", async () => {
  await send(one.client, 400);
  await send(two.client, 300);
  // What went through itself a gateway expects at once, and it sees the rows of the other.
  expect(await count(one)).toMatchObject({ rows: 700 });
  for (const gateway of [one, two])
    expect(await untilWhole(gateway)).toMatchObject({ fraction: 1, rowsAnswered: 700 });
});

test("S80: the registry is away for a while: the share is unknown, and then whole by itself", async () => {
  await machines.postgres.stop();
  try {
    await send(one.client, 100);
    await send(two.client, 100);
    const unknown = await waitUntil("the share is unknown", async () => {
      const { rows, completeness } = await count(one);
      expect(rows).toBe(sentRows);
      return completeness.known === false ? completeness : null;
    });
    expect(unknown).toMatchObject({ fraction: 0, reason: expect.stringContaining("m99-gateway") });
    // Of minutes that were closed before it is known.
    const { client } = one;
    const closed = { from: Date.now() - 7_200_000, to: Date.now() - 3_600_000 };
    const before = await client.query({ ...counted(), ...closed });
    expect(before.completeness.known).not.toBe(false);
  } finally {
    await machines.postgres.start();
  }
  for (const gateway of [one, two]) await untilWhole(gateway);
});

test("F2: a gateway is killed before it has published: no row is lost, and none counts twice", async () => {
  await send(two.client, 100);
  two.process.child.kill("SIGKILL");
  await two.process.exited;
  const first = await count(one);
  expect(first.rows).toBe(sentRows);
  await untilWhole(one);
  const { ledger } = await waitUntil("the leaves are compared", async () => {
    const status = await one.client.status();
    return status.ledger.state === "whole" ? status : null;
  });
  expect(ledger.lostRows).toEqual([]);
  two = await machines.startGateway(99);
  await send(two.client, 40);
  for (const gateway of [one, two]) await untilWhole(gateway);
  expect((await two.client.status()).ledger.lostRows).toEqual([]);
});

test("F22: a key that comes again through the other gateway stores nothing twice", async () => {
  const body = (rows: number): string =>
    Array.from({ length: rows }, (_, i) => JSON.stringify({ time: Date.UTC(2025, 1, 1) + i })).join(
      "\n",
    );
  const sendKeyed = ({ client }: ClusterGateway, rows: number) =>
    client.ingestBody("keyed", body(rows), {
      ...{ contentType: "application/x-ndjson", ack: "durable" },
      idempotencyKey: "one",
    });
  await sendKeyed(one, 30);
  await sendKeyed(two, 30);
  await expect(sendKeyed(two, 31)).rejects.toMatchObject({ code: "idempotency-conflict" });
  const { rows } = await two.client.query({
    ...{ table: "keyed", from: Date.UTC(2025, 0, 1), to: Date.UTC(2025, 3, 1) },
    aggregates: [{ fn: "count" }],
  });
  expect(rows[0]?.[0]).toBe(30);
});

test("a table that one gateway deletes is gone at the other, and can be made again there", async () => {
  await send(one.client, 60, "shortLived");
  await send(two.client, 60, "shortLived");
  await two.client.deleteTable("shortLived");
  await waitUntil("it is gone at the other", async () => {
    const names = (await one.client.tables()).map(({ name }) => name);
    return names.includes("shortLived") ? null : names;
  });
  await send(one.client, 20, "shortLived");
  for (const gateway of [one, two]) {
    const whole = await waitUntil("the new rows alone", async () => {
      const found = await count(gateway, "shortLived").catch(() => null);
      return found?.completeness.rowsExpected === 20 ? found : null;
    });
    expect(whole).toMatchObject({ rows: 20, completeness: { fraction: 1 } });
  }
});
