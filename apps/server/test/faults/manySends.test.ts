import { afterEach, expect, test } from "vitest";
import { askAll } from "../support/allTime.js";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { pause } from "../support/waitUntil.js";

const senders = 64;
const bodyRows = 40_000;
const loadMs = 6_000;
const startMs = Date.UTC(2026, 5, 1, 12);

const body: string = Array.from({ length: bodyRows }, (_, i) =>
  JSON.stringify({ time: startMs + i * 50, service: `service-${i % 17}`, path: `/a/${i % 997}` }),
).join("\n");

let cluster: Cluster | undefined;

afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly code: string | undefined;
  readonly detail: string | undefined;
  readonly accepted: number;
}

async function send(table: string, rows: string, session: string): Promise<Answer> {
  const response = await fetch(`${cluster?.url}/api/v1/tables/${table}/rows`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson", "x-hadal-session": session },
    body: rows,
  });
  const answer = (await response.json()) as Partial<Answer>;
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    code: answer.code,
    detail: answer.detail,
    accepted: answer.accepted ?? 0,
  };
}

/** Sends large bodies one after the other, for a time; a refused sender waits as long as the answer says. */
async function sendForLong(index: number, untilMs: number, answers: Answer[]): Promise<void> {
  do {
    const answer = await send("large", body, `sender-${index}`);
    answers.push(answer);
    if (answer.retryAfter !== null) await pause(Number(answer.retryAfter) * 1_000);
  } while (performance.now() < untilMs);
}

const sendAll = async (ms: number): Promise<readonly Answer[]> => {
  const answers: Answer[] = [];
  const untilMs = performance.now() + ms;
  await Promise.all(Array.from({ length: senders }, (_, i) => sendForLong(i, untilMs, answers)));
  return answers;
};

async function countOf(running: Cluster, table: string): Promise<number> {
  return Number((await askAll(running, table)).rows[0]?.[0]);
}

test("one row is taken in beside 64 senders of 40,000", { timeout: 120_000 }, async () => {
  cluster = await startCluster({ leaves: 2 });
  await send("small", `{"time":${startMs}}`, "one");
  const load = sendAll(loadMs);
  const tookMs: number[] = [];
  let isOver = false;
  void load.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const table = tookMs.length % 2 === 0 ? "small" : "large";
    const before = performance.now();
    expect(await send(table, `{"time":${startMs}}`, "one")).toMatchObject({ accepted: 1 });
    tookMs.push(performance.now() - before);
  }
  const answers = await load;
  tookMs.sort((a, b) => a - b);
  expect(tookMs.length).toBeGreaterThan(20);
  // Some 100 ms on a machine with nothing else to do; without a place of its own it took up to 12 s.
  expect(tookMs[Math.floor(tookMs.length * 0.9)]).toBeLessThan(1_000);
  const ofLarge = answers.reduce((sum, { accepted }) => sum + accepted, 0);
  const [small, large] = [await countOf(cluster, "small"), await countOf(cluster, "large")];
  expect(small + large).toBe(1 + tookMs.length + ofLarge);
});

test("sends beyond the limits are refused, and nothing of them is stored", {
  timeout: 120_000,
}, async () => {
  const environment = { HADAL_INGEST_MEMORY: "128", HADAL_SENDS_WAITING: "3" };
  cluster = await startCluster({ leaves: 2, environment });
  const answers = await sendAll(2_000);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, code, retryAfter, detail } of refused) {
    expect({ status, code, retryAfter }).toEqual({
      ...{ status: 429, code: "overloaded", retryAfter: "1" },
    });
    expect(detail).toMatch(/128 MiB .*\(ingestMemory\).* 3 wait already \(sendsWaiting\)/);
  }
  const accepted = answers.reduce((sum, answer) => sum + answer.accepted, 0);
  expect(accepted).toBe((answers.length - refused.length) * bodyRows);
  expect(await countOf(cluster, "large")).toBe(accepted);
  const metrics = await (await fetch(`${cluster.url}/metrics`)).text();
  expect(metrics).toContain(`\nhadal_sends_refused_total ${refused.length}\n`);
  expect(metrics).toContain("\nhadal_sends_waiting 0\n");
  expect(metrics).toContain("\nhadal_ingest_bytes 0\n");
  const { ingest } = await cluster.client.status();
  expect(ingest).toMatchObject({ bytesHeld: 0, waiting: 0, refused: refused.length });
});
