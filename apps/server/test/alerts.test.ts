import { createHmac } from "node:crypto";
import type { AlertEvent, AlertPreview, AlertStatus, SavedDocument } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWebReceiver, type WebReceiver } from "../src/alert/testing/receivers.js";
import { sendRows } from "./support/allTime.js";
import { type Cluster, startCluster } from "./support/startCluster.js";
import { waitUntil } from "./support/waitUntil.js";

let cluster: Cluster;
let receiver: WebReceiver;
beforeAll(async () => {
  receiver = await startWebReceiver();
  const environment = { HADAL_WEBHOOKS_ALLOW: "127.0.0.0/8" };
  cluster = await startCluster({ leaves: 2, environment });
  // Windows end at whole seconds.
  const nowMs = Date.now();
  await sendRows(
    cluster,
    "visits",
    Array.from({ length: 50 }, (_, i) => ({
      time: nowMs - (i + 1) * 1_000,
      page: `p${i % 2}`,
      ms: i,
    })),
  );
}, 60_000);
afterAll(async () => {
  await cluster?.stop();
  receiver?.close();
});

async function send(method: string, path: string, body?: unknown) {
  const reply = await fetch(`${cluster.url}/api/v1${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: (await reply.json()) as never };
}

const rule = (table: string, more: object = {}) => ({
  kind: "alert",
  title: `Rows of ${table}`,
  body: {
    query: { table, from: "-10m", to: "now", aggregates: [{ fn: "count" }] },
    condition: { aggregate: "count", op: "above", value: 10 },
    ...{ everyMs: 1_000, waitMs: 0 },
    channels: [{ kind: "webhook", url: receiver.url, secret: "hush" }],
    ...more,
  },
});

async function save(draft: object): Promise<SavedDocument> {
  const { status, body } = await send("POST", "/documents", draft);
  expect([status, body]).toEqual([201, body]);
  return body;
}

const statusWith = (id: string, state: string): Promise<AlertStatus> =>
  waitUntil(`the rule is ${state}`, async () => {
    const { body } = await send("GET", `/alerts/${id}`);
    return (body as AlertStatus).state === state ? (body as AlertStatus) : null;
  });

async function history(id: string): Promise<readonly AlertEvent[]> {
  const { body } = await send("GET", `/alerts/${id}/history`);
  return (body as { history: readonly AlertEvent[] }).history;
}

test("rows come in, the rule fires, people act, and the history has it all", async () => {
  const saved = await save(rule("visits"));
  expect(JSON.stringify(saved)).not.toContain("hush");
  const firing = await statusWith(saved.id, "firing");
  expect(firing).toMatchObject({ value: 50, completeness: 1, table: "visits", reason: null });
  const acknowledged = await send("POST", `/alerts/${saved.id}/acknowledge`);
  expect(acknowledged.body).toMatchObject({ acknowledged: { who: null } });
  const untilMs = Date.now() + 3_600_000;
  const muted = await send("POST", `/alerts/${saved.id}/mute`, { untilMs });
  expect(muted.body).toMatchObject({ state: "muted", mutedUntilMs: untilMs });
  expect((await history(saved.id)).map(({ state }) => state)).toEqual([
    ...["muted", "acknowledged", "firing"],
  ]);
  const { body } = await send("GET", "/alerts");
  expect((body as { alerts: readonly AlertStatus[] }).alerts).toMatchObject([{ id: saved.id }]);
  const metrics = await (await fetch(`${cluster.url}/metrics`)).text();
  for (const line of ["hadal_alert_leader 1", "hadal_alert_rules 1"])
    expect(metrics.split("\n")).toContain(line);
}, 60_000);

test("what fires is sent once, signed, with a link to the rule", async () => {
  const saved = await save({ ...rule("visits"), title: "Once" });
  const messages = () => receiver.received.filter(({ body }) => JSON.parse(body).title === "Once");
  await statusWith(saved.id, "firing");
  const { headers, body } = await waitUntil(
    "the message came",
    async () => messages().at(0) ?? null,
  );
  expect(JSON.parse(body)).toMatchObject({
    ...{ state: "firing", value: 50, completeness: 1 },
  });
  expect(JSON.parse(body).link).toContain(`${cluster.url}/alerts/${saved.id}`);
  const [, time, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(
    String(headers["x-hadal-signature"]),
  ) as unknown as readonly string[];
  expect(mac).toBe(createHmac("sha256", "hush").update(`${time}.${body}`).digest("hex"));
  const metrics = await waitUntil("it is marked as sent", async () => {
    const text = await (await fetch(`${cluster.url}/metrics`)).text();
    return /hadal_alert_messages_total\{outcome="sent"\} [1-9]/.test(text) ? text : null;
  });
  expect(metrics).toContain('hadal_alert_messages_total{outcome="failed"} 0');
  expect(messages()).toHaveLength(1);
}, 60_000);

test("a table or a column that is not there is a problem of the save", async () => {
  const unknown = await send("POST", "/documents", rule("nowhere"));
  expect(unknown).toMatchObject({ status: 404, body: { code: "unknown-table" } });
  const query = { table: "visits", from: "-1m", to: "now", groupBy: ["shop"] };
  const column = rule("visits", { query: { ...query, aggregates: [{ fn: "count" }] } });
  expect(await send("POST", "/documents", column)).toMatchObject({
    ...{ status: 400, body: { code: "unknown-column" } },
  });
});

test("the preview has the moments when it would have fired", async () => {
  const { status, body } = await send("POST", "/alerts/preview", {
    query: { table: "visits", from: "-10s", to: "now", aggregates: [{ fn: "count" }] },
    condition: { aggregate: "count", op: "above", value: 5 },
    everyMs: 10_000,
  });
  expect([status, body]).toEqual([200, body]);
  const { firings } = body as AlertPreview;
  // 50 seconds of one row a second are four or five whole windows one after another.
  expect(firings.length).toBe(1);
  const [{ fromMs = 0, toMs = 0 } = {}] = firings;
  expect((toMs - fromMs) / 10_000).toBeGreaterThanOrEqual(4);
});

test("with a leaf that is silent it is not known, and nothing fires", async () => {
  const draft = rule("visits", { condition: { aggregate: "count", op: "below", value: 40 } });
  const saved = await save(draft);
  await waitUntil("it was evaluated", async () => {
    const { body } = await send("GET", `/alerts/${saved.id}`);
    return (body as AlertStatus).evaluatedMs;
  });
  const pids = [...(await cluster.leafPids()).values()];
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  try {
    const unknown = await statusWith(saved.id, "unknown");
    expect(unknown.reason).toMatch(/no-leaves|of the rows answered/);
    expect((await history(saved.id)).map(({ state }) => state)).toEqual(["unknown"]);
  } finally {
    for (const pid of pids) process.kill(pid, "SIGCONT");
  }
  await statusWith(saved.id, "ok");
}, 90_000);

test("an address that may not be sent to is refused at its place, and nothing is saved", async () => {
  const channels = [
    { kind: "webhook", url: receiver.url },
    { kind: "webhook", url: "http://169.254.169.254/latest/meta-data" },
    { kind: "slack", url: "http://[::ffff:10.0.0.1]/services" },
  ];
  const { status, body } = await send("POST", "/documents", rule("visits", { channels }));
  expect([status, body]).toMatchObject([
    400,
    {
      code: "egress-refused",
      errors: [
        { path: "body.channels[1].url", code: "egress-refused" },
        { path: "body.channels[2].url", code: "egress-refused" },
      ],
    },
  ]);
  const { body: found } = await send("GET", "/alerts");
  expect(JSON.stringify(found)).not.toContain("169.254");
});

test("channels are tested, before the rule is saved and after, by the secrets that are kept", async () => {
  const draft = rule("visits");
  const testsOf = async (path: string, body: object) => {
    const { status, body: answer } = await send("POST", path, body);
    expect([status, answer]).toEqual([200, answer]);
    return (answer as { tests: readonly object[] }).tests;
  };
  const received = () =>
    receiver.received
      .filter(({ body }) => JSON.parse(body).title.startsWith("Test of"))
      .map(({ headers, body }) => {
        const [, time, mac] = /^t=(\d+),v1=(\w+)$/.exec(String(headers["x-hadal-signature"])) ?? [];
        return mac === createHmac("sha256", "hush").update(`${time}.${body}`).digest("hex");
      });
  const before = { title: "New", rule: draft.body };
  expect(await testsOf("/alerts/test", before)).toEqual([
    { channel: 0, kind: "webhook", error: null },
  ]);
  const saved = await save({ ...draft, title: "Tested" });
  const slack = { kind: "slack", url: "http://127.0.0.1:1/none" };
  const { channels } = saved.body as { channels: readonly object[] };
  const changed = { ...draft.body, channels: [...channels, slack] };
  expect(await testsOf("/alerts/test", { rule: changed, id: saved.id })).toMatchObject([
    { channel: 0, error: null },
    { channel: 1, kind: "slack", error: expect.stringContaining("ECONNREFUSED") },
  ]);
  expect(await testsOf(`/alerts/${saved.id}/test`, { channel: 0 })).toHaveLength(1);
  expect(received()).toEqual([true, true, true]);
  for (const channel of [1, -1, "0"])
    expect(await send("POST", `/alerts/${saved.id}/test`, { channel })).toMatchObject({
      ...{ status: 400, body: { code: "bad-request" } },
    });
}, 60_000);

test("a message has its chart, and a firing is on the charts of its table", async () => {
  const saved = await save({ ...rule("visits"), title: "Pictured" });
  const found = await waitUntil("the message came", async () => {
    const all = receiver.received.map(({ body }) => JSON.parse(body));
    return all.find(({ title, state }) => title === "Pictured" && state === "firing") ?? null;
  });
  expect(found.image).toMatch(/^data:image\/png;base64,iVBORw0KGgo/);
  const { body } = await send("GET", "/annotations?table=visits&from=-1h&to=now");
  const { annotations } = body as { annotations: readonly { alert?: string; timeMs: number }[] };
  const [firing, ...more] = annotations.filter(({ alert }) => alert === saved.id);
  expect([firing, more]).toMatchObject([
    { title: "Pictured", tables: ["visits"], tags: ["alert"], text: "count is above 10" },
    [],
  ]);
  const [event] = await history(saved.id);
  expect(firing?.timeMs).toBe(event?.toMs);
  const other = await send("GET", "/annotations?table=elsewhere&from=-1h&to=now");
  expect(other.body).toMatchObject({ annotations: [] });
}, 60_000);
