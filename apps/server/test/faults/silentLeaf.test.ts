import { afterEach, expect, test } from "vitest";
import { askAll } from "../support/allTime.js";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { pause, waitUntil } from "../support/waitUntil.js";

const startMs = Date.UTC(2026, 6, 2, 12);
const senders = 8;
const bodyRows = 50;
/** Of a body of more than 1,024 rows each leaf gets a part. */
const largeRows = 3_000;
/** Two for the leaf that is silent, and what the other takes on a busy machine. */
const answerMsMax = 5_000;

let cluster: Cluster | undefined;

afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

function linesOf(first: number, count: number): string {
  return Array.from({ length: count }, (_, i) =>
    JSON.stringify({ time: startMs + first + i, id: first + i }),
  ).join("\n");
}

test("sends are answered while a leaf is stopped, and every row is there once when it goes on", {
  timeout: 120_000,
}, async () => {
  const running = await startCluster({ leaves: 2 });
  cluster = running;
  let [sent, slowestMs, isDone] = [0, 0, false];
  const send = async (rows: number): Promise<void> => {
    const first = sent;
    sent += rows;
    const beforeMs = performance.now();
    const options = { contentType: "application/x-ndjson" } as const;
    const reply = await running.client.ingestBody("silent", linesOf(first, rows), options);
    expect(reply).toMatchObject({ accepted: rows, rejected: 0 });
    slowestMs = Math.max(slowestMs, performance.now() - beforeMs);
  };
  const sendOn = async (sender: number): Promise<void> => {
    while (!isDone) {
      await send(sender === 0 ? largeRows : bodyRows);
      await pause(5);
    }
  };
  const sending = Promise.all(Array.from({ length: senders }, (_, i) => sendOn(i)));
  await pause(500);
  const pid = (await running.leafPids()).get("leaf-1") ?? 0;
  expect(pid).toBeGreaterThan(1);
  process.kill(pid, "SIGSTOP");
  try {
    await waitUntil("the heartbeat to find out", async () => {
      const { members } = await running.client.status();
      return members.find(({ id }) => id === "leaf-1")?.state === "dead" ? true : null;
    });
    // Sends that begin from now on know of it.
    const sentBefore = sent;
    await waitUntil("further sends", () => (sent > sentBefore + largeRows ? true : null));
    // What was acknowledged and is not seen is expected.
    const answer = await running.client.query({
      ...{ table: "silent", from: startMs, to: startMs + 10_000_000, timeoutMs: 1_000 },
    });
    expect(answer.completeness.leaves.missing).toEqual(["leaf-1"]);
    expect(answer.completeness.fraction).toBeLessThan(1);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  await pause(500);
  isDone = true;
  await sending;
  // Some did meet it.
  expect(slowestMs).toBeGreaterThan(1_500);
  expect(slowestMs).toBeLessThan(answerMsMax);
  const total = await waitUntil("every row", async () => {
    const answer = await askAll(running, "silent", {
      exact: false,
      aggregates: [{ fn: "count" }, { fn: "distinct", column: "id" }],
    });
    const { completeness, rows } = answer;
    expect(Number(rows[0]?.[0])).toBeLessThanOrEqual(sent);
    return completeness.fraction === 1 && Number(rows[0]?.[0]) === sent ? rows[0] : null;
  });
  expect(Number(total?.[0])).toBe(sent);
  await waitUntil("no batch in doubt", async () => {
    const metrics = await (await fetch(`${running.url}/metrics`)).text();
    const isOver = ["pending", "aside"].every((one) =>
      metrics.includes(`\nhadal_batches_${one} 0\n`),
    );
    return isOver ? true : null;
  });
});
