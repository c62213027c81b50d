import { setTimeout as pause } from "node:timers/promises";
import { HadalError, type Result } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { trials } from "../oracle/seed/seed.js";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { waitUntil } from "../support/waitUntil.js";

/**
 * LazyBase, figures 8 and 9: rows that sum to zero come in large requests, over several leaves and two
 * tables, while processes are killed. No answer of all rows has a part of a request.
 */

const leaves = 3;
const rowsPerRequest = trials(20_000, 1_000_000);
const answersMin = trials(40, 500);
const requestsMin = trials(8, 20);
const killEveryMs = 5_000;
const untilMs = trials(90_000, 600_000);

let cluster: Cluster;
const time = Date.now();
beforeAll(async () => {
  cluster = await startCluster({ leaves, environment: { HADAL_FUTURE_MAX: "0" } });
}, 60_000);
afterAll(() => cluster.stop());

/** Of each pair of rows one has the amount and one its negative. */
const zeroSum = Array.from({ length: rowsPerRequest }, (_, i) => {
  const amount = 1 + (i >> 1);
  return `{"time":${time + (i % 1_000)},"amount":${i % 2 === 0 ? amount : -amount}}`;
}).join("\n");

const pairOfTables = JSON.stringify({
  tables: {
    debit: Array.from({ length: 50 }, () => ({ time, amount: 7 })),
    credit: Array.from({ length: 50 }, () => ({ time, amount: -7 })),
  },
});

/** Null: no process answers now, or not all rows do. */
async function ask(table: string): Promise<{ sum: number; count: number } | null> {
  const query = {
    ...{ table, from: time - 60_000, to: time + 60_000, timeoutMs: 5_000 },
    aggregates: [{ fn: "sum", column: "amount" } as const, { fn: "count" } as const],
  };
  const answer: Result | null = await cluster.client.query(query).catch((error: unknown) => {
    if (error instanceof HadalError) return null;
    throw error;
  });
  if (answer === null || answer.completeness.fraction < 1) return null;
  if (answer.completeness.known === false) return null;
  const [sum, count] = answer.rows[0] ?? [];
  return { sum: Number(sum ?? 0), count: Number(count ?? 0) };
}

/** Whether it was acknowledged. */
async function send(work: () => Promise<unknown>): Promise<boolean> {
  return work().then(
    () => true,
    (error: unknown) => {
      if (error instanceof HadalError) return false;
      throw error;
    },
  );
}

const sendZeroSum = () =>
  cluster.client.ingestBody("ledger", zeroSum, { contentType: "application/x-ndjson" });
const sendPair = async (): Promise<void> => {
  const reply = await fetch(`${cluster.url}/api/v1/batches`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: pairOfTables,
  }).catch(() => null);
  if (reply?.ok !== true) throw new HadalError("connection-lost", { url: cluster.url });
};

test(
  "no answer of all rows has a part of a request, while leaves and gateway are killed",
  async () => {
    expect(await send(sendZeroSum)).toBe(true);
    expect(await send(sendPair)).toBe(true);
    let isOver = false;
    const acknowledged = { ledger: 1, pairs: 1 };
    let answers = 0;
    let kills = 0;
    const senders = [
      async () => {
        while (!isOver) if (await send(sendZeroSum)) acknowledged.ledger++;
      },
      async () => {
        while (!isOver) if (await send(sendPair)) acknowledged.pairs++;
      },
    ];
    const killer = async (): Promise<void> => {
      for (; !isOver; kills++) {
        for (const end = Date.now() + killEveryMs; Date.now() < end && !isOver; ) await pause(50);
        if (isOver) return;
        const pids = await cluster.leafPids().catch(() => new Map<string, number>());
        const victims =
          kills % 3 === 2 ? [await cluster.gatewayPid().catch(() => 0)] : [...pids.values()];
        const pid = victims[kills % victims.length] ?? 0;
        if (pid !== 0) process.kill(pid, "SIGKILL");
      }
    };
    let ledgerRows = 0;
    const asker = async (): Promise<void> => {
      const endMs = Date.now() + untilMs;
      const isDone = (): boolean =>
        (answers >= answersMin && acknowledged.ledger >= requestsMin && kills >= 3) ||
        Date.now() > endMs;
      while (!isDone()) {
        const certain = acknowledged.ledger;
        const found = await ask("ledger");
        if (found !== null) {
          answers++;
          expect(found.sum).toBe(0);
          expect(found.count % rowsPerRequest).toBe(0);
          // Whatever was acknowledged before the question is in the answer, and nothing goes again.
          expect(found.count).toBeGreaterThanOrEqual(
            Math.max(ledgerRows, certain * rowsPerRequest),
          );
          ledgerRows = found.count;
        }
        // What one table shows of a request the other shows from there on.
        const debit = await ask("debit");
        const credit = await ask("credit");
        const later = await ask("debit");
        if (debit === null || credit === null || later === null) continue;
        answers++;
        expect(credit.count % 50).toBe(0);
        expect(-credit.sum).toBeGreaterThanOrEqual(debit.sum);
        expect(later.sum).toBeGreaterThanOrEqual(-credit.sum);
      }
      isOver = true;
    };
    await Promise.all([asker(), killer(), ...senders.map((sender) => sender())]).finally(() => {
      isOver = true;
    });
    expect(answers).toBeGreaterThanOrEqual(answersMin);
    expect(kills).toBeGreaterThanOrEqual(3);
    // Everything is back in the end, and was stored at most once more than it was acknowledged.
    const last = await waitUntil("all rows answer", () => ask("ledger"), 30_000);
    expect(last.sum).toBe(0);
    expect(last.count).toBeGreaterThanOrEqual(acknowledged.ledger * rowsPerRequest);
  },
  untilMs + 120_000,
);
