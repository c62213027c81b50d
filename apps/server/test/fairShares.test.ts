import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import type { Problem, Query, Result } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, startCluster } from "./support/startCluster.js";
import { waitUntil } from "./support/waitUntil.js";

const minuteMs = 60_000;
const startMs = Date.UTC(2025, 4, 5, 12);
const rowCount = 200_000;

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: Result & Problem & { readonly limitName?: string };
}

/** Without a token each address counts as a person. */
async function post(
  url: string,
  body: string,
  from = "127.0.0.1",
  token?: string,
): Promise<Answer> {
  const headers = {
    "content-type": url.endsWith("/rows") ? "application/x-ndjson" : "application/json",
  };
  const sent = request(url, { method: "POST", localAddress: from, headers });
  if (token !== undefined) sent.setHeader("authorization", `Bearer ${token}`);
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const retryAfter = answer.headers["retry-after"];
  return {
    status: answer.statusCode ?? 0,
    retryAfter,
    body: (await json(answer)) as Answer["body"],
  };
}

const ask = ({ url }: Cluster, query: Query, from?: string): Promise<Answer> =>
  post(`${url}/api/v1/query`, JSON.stringify({ query }), from);

const rows = (count: number): string =>
  Array.from({ length: count }, (_, i) => {
    const time = startMs + ((i * 7_919) % (10 * minuteMs));
    return `{"time":${time},"user":"u${(i * 31) % 50_000}","ms":${(i * 31) % 1_000}}`;
  }).join("\n");

const whole = { table: "requests", from: startMs, to: startMs + 10 * minuteMs } as const;
/** Many groups, and no two alike. */
const heavy = (i: number): Query => ({
  ...{ ...whole, groupBy: ["user"], limit: 10, timeoutMs: 60_000 },
  aggregates: [{ fn: "percentile", p: 95, column: "ms" }],
  filter: [{ column: "ms", op: ">=", value: i }],
});
const light = (i: number): Query => ({
  ...{ ...whole, aggregates: [{ fn: "count" }] },
  filter: [{ column: "ms", op: "=", value: i }],
});

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({
    leaves: 2,
    environment: {
      ...{ HADAL_QUERIES_RUNNING: "2", HADAL_USER_QUERIES: "60" },
      ...{ HADAL_USER_INGEST_ROWS: "10000", HADAL_USER_INGEST_BYTES: "100000000" },
    },
  });
  const options = { contentType: "application/x-ndjson" } as const;
  await cluster.client.ingestBody("requests", rows(rowCount), options);
}, 120_000);
afterAll(() => cluster?.stop());

test("light queries of one person pass fifty heavy ones of another that came before", async () => {
  const order: string[] = [];
  const noted = async (who: string, answer: Promise<Answer>): Promise<void> => {
    expect((await answer).status).toBe(200);
    order.push(who);
  };
  const asked = Array.from({ length: 50 }, (_, i) =>
    noted("heavy", ask(cluster, heavy(i), "127.0.0.2")),
  );
  await waitUntil("most of the fifty to wait", async () =>
    (await cluster.client.status()).admission.waiting > 30 ? true : null,
  );
  for (let i = 0; i < 10; i++) await noted("light", ask(cluster, light(i), "127.0.0.3"));
  await Promise.all(asked);
  // While a light one is under way some heavy ones may end: never all that came before it.
  expect(order.lastIndexOf("light")).toBeLessThan(50);
}, 120_000);

test("more queries at once than a person may have are refused at once, and only this person's", async () => {
  const answers = await Promise.all([
    ...Array.from({ length: 80 }, (_, i) => ask(cluster, heavy(100 + i), "127.0.0.2")),
    ...Array.from({ length: 10 }, (_, i) => ask(cluster, light(100 + i), "127.0.0.3")),
  ]);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  // Some may end before the last ones come.
  expect(refused.length).toBeLessThanOrEqual(20);
  for (const { body, retryAfter } of refused)
    expect([body.code, body.limitName, retryAfter]).toEqual(["quota-exceeded", "userQueries", "1"]);
  expect(answers.slice(80).map(({ status }) => status)).toEqual(Array(10).fill(200));
}, 120_000);

test("rows beyond those of a second are refused with the wait; rows of others and what was stored stay", async () => {
  const url = `${cluster.url}/api/v1/tables/sent/rows`;
  // Ten seconds' rows: a send is never too large, the next one waits.
  expect((await post(url, rows(100_000), "127.0.0.4")).status).toBe(200);
  const { status, body, retryAfter } = await post(url, rows(1), "127.0.0.4");
  expect([status, body.code, body.limitName]).toEqual([429, "quota-exceeded", "userIngestRows"]);
  expect(Number(retryAfter)).toBeGreaterThan(4);
  expect((await post(url, rows(1), "127.0.0.5")).status).toBe(200);
  const counted = await ask(cluster, { ...whole, table: "sent", aggregates: [{ fn: "count" }] });
  expect(counted.body.rows).toEqual([[100_001, 100_001]]);
}, 120_000);

test("a token has its own share, from whatever address it is used", async () => {
  const url = `${cluster.url}/api/v1/tables/sent/rows`;
  const scopes = ["ingest:sent"];
  const [first, second] = [
    await cluster.client.tokens.create({ scopes }),
    await cluster.client.tokens.create({ scopes }),
  ];
  expect((await post(url, rows(100_000), "127.0.0.6", first.token)).status).toBe(200);
  const refused = await post(url, rows(1), "127.0.0.7", first.token);
  expect([refused.status, refused.body.limitName]).toEqual([429, "userIngestRows"]);
  expect((await post(url, rows(1), "127.0.0.6", second.token)).status).toBe(200);
  expect((await post(url, rows(1), "127.0.0.6")).status).toBe(200);
}, 120_000);
