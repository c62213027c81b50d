import { createHmac } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AlertChannel,
  type AlertRule,
  alertMask,
  createClient,
  type DocumentDraft,
  type HadalClient,
} from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWebReceiver, type WebReceiver } from "../src/alert/testing/receivers.js";
import { sendRows } from "./support/allTime.js";
import { adminOf } from "./support/people.js";
import { type Cluster, startCluster } from "./support/startCluster.js";
import { waitUntil } from "./support/waitUntil.js";

const secret = "a secret of the tests";

let cluster: Cluster;
let client: HadalClient;
let receiver: WebReceiver;
let folder: string;

beforeAll(async () => {
  receiver = await startWebReceiver();
  folder = await mkdtemp(join(tmpdir(), "hadal-rules-"));
  await writeFile(join(folder, "rule.json"), JSON.stringify(draft("From a file")));
  const environment = { HADAL_WEBHOOKS_ALLOW: "127.0.0.0/8", HADAL_DOCUMENTS: folder };
  cluster = await startCluster({ leaves: 1, environment });
  client = cluster.client;
  for (const table of ["visits", "shortLived", "guarded"]) await send(table);
}, 60_000);
afterAll(async () => {
  await cluster?.stop();
  receiver?.close();
  await rm(folder, { recursive: true, force: true });
});

function send(table: string): Promise<void> {
  const nowMs = Date.now();
  const rows = Array.from({ length: 20 }, (_, i) => ({ time: nowMs - i * 1_000, page: `p${i}` }));
  return sendRows(cluster, table, rows);
}

function draft(
  title: string,
  { table = "visits", ...more }: Partial<AlertRule> & { readonly table?: string } = {},
): DocumentDraft {
  const body: AlertRule = {
    query: { table, from: "-1h", to: "now", aggregates: [{ fn: "count" }] },
    condition: { aggregate: "count", op: "above", value: 10 },
    ...{ everyMs: 1_000, waitMs: 0 },
    channels: [{ kind: "webhook", url: receiver.url, secret }],
    ...more,
  };
  return { kind: "alert", title, body: { ...body } };
}

const messagesOf = (title: string) =>
  receiver.received.filter(({ body }) => JSON.parse(body).title === title);

/** The next message that is about the rule, as its receiver has it; its signature is that of the secret. */
async function messageOf(title: string, state: string) {
  const found = await waitUntil(`${title} is ${state}`, () => {
    const all = messagesOf(title);
    return all.find(({ body }) => JSON.parse(body).state === state) ?? null;
  });
  const [, time = "", sum] =
    /^t=(\d+),v1=(.+)$/.exec(String(found.headers["x-hadal-signature"])) ?? [];
  expect(sum).toBe(createHmac("sha256", secret).update(`${time}.${found.body}`).digest("hex"));
  return JSON.parse(found.body);
}

const statusWith = (id: string, state: string) =>
  waitUntil(`the rule is ${state}`, async () => {
    const status = await client.alerts.find(id);
    return status.state === state ? status : null;
  });

test("a rule of a file is listed, fires and signs; no answer has its secret", async () => {
  const { id } = await waitUntil("it is listed", async () => {
    const all = await client.alerts.list();
    return all.find(({ title }) => title === "From a file") ?? null;
  });
  expect(await messageOf("From a file", "firing")).toMatchObject({ ruleId: id });
  const answers = await Promise.all([
    ...["", `/${id}`, `/${id}/history`].map((path) => get(`/alerts${path}`)),
    ...["", `/${id}`, `/${id}/versions`].map((path) => get(`/documents${path}`)),
  ]);
  expect(answers.join("\n")).toContain("From a file");
  expect(answers.join("\n")).not.toContain(secret);
  // Who reads the folder has it anyway.
  expect(await readFile(join(folder, "rule.json"), "utf8")).toContain(secret);
}, 60_000);

async function get(path: string): Promise<string> {
  return (await fetch(`${cluster.url}/api/v1${path}`)).text();
}

test("a rule that is saved again with its secret masked still signs with it", async () => {
  const saved = await client.documents.create(draft("Masked"));
  await messageOf("Masked", "firing");
  const { body, version } = await client.documents.find(saved.id);
  const { channels = [] } = body as unknown as AlertRule;
  expect(channels).toEqual([{ kind: "webhook", url: receiver.url, secret: alertMask }]);
  const title = "Masked again";
  const condition = { aggregate: "count", op: "above", value: 12 };
  const again = { kind: "alert", title, body: { ...body, condition } } as const;
  await client.documents.save(saved.id, again, { version });
  await messageOf(title, "firing");
}, 60_000);

test("a rule whose table was deleted is unknown, and says why; it is judged again when the table is back", async () => {
  const saved = await client.documents.create(draft("Deleted", { table: "shortLived" }));
  await messageOf("Deleted", "firing");
  await client.deleteTable("shortLived");
  const { reason, groups } = await statusWith(saved.id, "unknown");
  expect(reason).toMatch(/^unknown-table: .*shortLived/);
  expect(groups).toEqual([]);
  // What was firing is neither over nor said again.
  expect(messagesOf("Deleted")).toHaveLength(1);
  await send("shortLived");
  await statusWith(saved.id, "firing");
}, 60_000);

test("a rule about a column that the table has no more is unknown, and says why", async () => {
  await sendRows(cluster, "narrow", [{ time: Date.now(), page: "a", country: "DE" }]);
  const query = { table: "narrow", from: "-1h", to: "now", aggregates: [{ fn: "count" }] } as const;
  const filter = [{ column: "country", op: "=", value: "DE" }] as const;
  const saved = await client.documents.create(draft("Narrow", { query: { ...query, filter } }));
  await statusWith(saved.id, "ok");
  await client.deleteTable("narrow");
  await sendRows(cluster, "narrow", [{ time: Date.now(), page: "a" }]);
  const { reason } = await statusWith(saved.id, "unknown");
  await waitUntil("the column is named", async () => {
    const status = await client.alerts.find(saved.id);
    return /unknown-column: .*country/.test(String(status.reason)) ? true : null;
  });
  expect(reason).toMatch(/^unknown-(table|column)/);
}, 60_000);

test("a rule whose owner may not read the table any more is unknown, and its channels hear of it", async () => {
  const admin = adminOf(cluster.url);
  const { id: tokenId, token } = await admin.createToken(["query:guarded", "save"]);
  const owner = createClient({ url: cluster.url, token });
  const more = { table: "guarded", notifyUnknown: true };
  const saved = await owner.documents.create(draft("Guarded", more));
  owner.close();
  await messageOf("Guarded", "firing");
  const revoked = await fetch(`${cluster.url}/api/v1/tokens/${tokenId}`, { method: "DELETE" });
  expect(revoked.ok).toBe(true);
  const { reason, value } = await statusWith(saved.id, "unknown");
  expect(reason).toMatch(/^forbidden: .*that saved the rule is gone/);
  expect(await messageOf("Guarded", "unknown")).toMatchObject({
    text: expect.stringContaining("that saved the rule is gone"),
  });
  // What the owner read before is all that is shown.
  expect(value ?? 20).toBeGreaterThan(10);
}, 60_000);

test("a message waits for its receiver, and the rule's channels change their places: it goes to whom it was for", async () => {
  const channel = (path: string): AlertChannel => ({
    ...{ kind: "webhook", url: receiver.url.replace("/hook", path), secret },
  });
  const [slow, quick, gone] = [channel("/slow"), channel("/quick"), channel("/gone")];
  let isReady = false;
  receiver.answer = ({ path }) => ({ status: isReady || path === "/quick" ? 200 : 503 });
  const first = draft("Reordered", { channels: [slow, gone, quick] });
  const saved = await client.documents.create(first);
  const paths = () => messagesOf("Reordered").map(({ path }) => path);
  await waitUntil("all were tried", () => (new Set(paths()).size === 3 ? true : null));
  const next = draft("Reordered", { channels: [quick, slow] });
  await client.documents.save(saved.id, next, { version: saved.version });
  const { output } = cluster;
  await waitUntil("what has no channel any more is given up", () =>
    output.err.includes("to its channel 1 is given up: the channel was removed") ? true : null,
  );
  const tried = paths().filter((path) => path === "/slow").length;
  isReady = true;
  await waitUntil("the slow one has it", () =>
    paths().filter((path) => path === "/slow").length > tried ? true : null,
  );
  expect(paths().filter((path) => path === "/quick")).toHaveLength(1);
}, 60_000);
