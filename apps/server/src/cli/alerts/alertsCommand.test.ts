import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AlertStatus, DocumentDraft } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendRows } from "../../../test/support/allTime.js";
import { type Cluster, spawnHadal, startCluster } from "../../../test/support/startCluster.js";
import { waitUntil } from "../../../test/support/waitUntil.js";

/** The real program twice: one evaluates rules, one lists and mutes them. */
let cluster: Cluster;
let firing = "";
beforeAll(async () => {
  const environment = { HADAL_WEBHOOKS_ALLOW: "127.0.0.0/8" };
  cluster = await startCluster({ leaves: 1, environment });
  const nowMs = Date.now();
  const rows = Array.from({ length: 9 }, (_, i) => ({ time: nowMs - i * 1_000, page: "a" }));
  await sendRows(cluster, "visits", rows);
  const { documents, alerts } = cluster.client;
  firing = (await documents.create(rule("Rows come", 1))).id;
  await documents.create(rule("A flood", 1_000));
  await waitUntil("the first fires", async () =>
    (await alerts.find(firing)).state === "firing" ? true : null,
  );
}, 60_000);
afterAll(() => cluster?.stop());

const rule = (title: string, value: number): DocumentDraft => ({
  ...{ kind: "alert", title },
  body: {
    query: { table: "visits", from: "-1h", to: "now", aggregates: [{ fn: "count" }] },
    condition: { aggregate: "count", op: "above", value },
    ...{ everyMs: 1_000, waitMs: 0, repeatMs: 60_000 },
  },
});

async function hadal(...words: string[]) {
  const { exited, output } = spawnHadal(["alerts", ...words], { HADAL_URL: cluster.url });
  return { code: await exited, ...output };
}

test("rules are listed, those that fire first, or those in one state", async () => {
  const { code, out } = await hadal("list");
  expect(code).toBe(0);
  expect(out.split("\n").slice(0, 4)).toEqual([
    expect.stringMatching(/^id +state +since +value +table +title/),
    expect.stringMatching(/^─+/),
    expect.stringMatching(new RegExp(`^${firing}  firing .* 9  visits  Rows come$`)),
    expect.stringMatching(/ ok .* A flood$/),
  ]);
  expect((await hadal("list", "--state", "unknown")).out).toBe("No such alert rules.\n");
  const { out: json } = await hadal("list", "--state", "firing", "--json");
  expect(JSON.parse(json)).toMatchObject([{ id: firing, state: "firing", value: 9 }]);
  expect((await hadal("list", "--state", "sad")).code).toBe(2);
}, 60_000);

test("a rule, or all of them, are muted for a while, and no longer; what fires is acknowledged", async () => {
  const untilMs = Date.now() + 4 * 3_600_000;
  const muted = await hadal("mute", firing, "--for", "4h", "--json");
  const [one] = JSON.parse(muted.out) as readonly AlertStatus[];
  expect(one).toMatchObject({ id: firing, state: "muted" });
  expect(one?.mutedUntilMs).toBeGreaterThanOrEqual(untilMs);
  expect((await hadal("mute", "--all", "--for", "1d")).out.match(/muted until/g)).toHaveLength(2);
  expect((await hadal("unmute", "--all")).out).not.toContain("muted");
  expect((await hadal("ack", firing)).out).toContain("acknowledged by someone");
}, 60_000);

test("each channel of a rule gets a test, and what fails is said", async () => {
  const paths: string[] = [];
  const receiver = createServer(({ url = "" }, response) => {
    paths.push(url);
    response.writeHead(url === "/hook" ? 200 : 503).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = receiver.address() as AddressInfo;
  const channels = ["/hook", "/broken"].map((path) => ({
    ...{ kind: "webhook", url: `http://127.0.0.1:${port}${path}` },
  }));
  const draft = rule("Tested", 1_000);
  const { id } = await cluster.client.documents.create({
    ...draft,
    body: { ...draft.body, channels },
  });
  expect(await hadal("test", id)).toEqual({
    ...{ code: 1, err: "" },
    out: "channel 0 (webhook): sent\nchannel 1 (webhook): it answered 503\n",
  });
  expect(paths.sort()).toEqual(["/broken", "/hook"]);
  expect((await hadal("test", firing)).out).toBe("The rule has no channels.\n");
  receiver.close();
}, 60_000);

test("what is not possible is said in one line", async () => {
  const none = "00000000-0000-4000-8000-000000000000";
  for (const [words, code, text] of [
    [["mute", firing], 2, "--for"],
    [["mute", "--for", "4h"], 1, "Give the id of a rule, or --all."],
    [["mute", firing, "--all", "--for", "4h"], 1, "Give the id of a rule, or --all."],
    [["mute", firing, "--for", "soon"], 1, "is not a duration"],
    [["mute", firing, "--for", "0s"], 1, "--for is no time at all."],
    [["ack", none], 1, none],
  ] as const) {
    const reply = await hadal(...words);
    expect(reply).toMatchObject({ code, out: "" });
    expect(reply.err).toMatch(/^hadal: [^\n]*\n$/);
    expect(reply.err).toContain(text);
  }
}, 60_000);
