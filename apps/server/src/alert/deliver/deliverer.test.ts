import { join } from "node:path";
import type { AlertChannel } from "@hadal/sdk";
import Database from "libsql";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { registryFile } from "../../registry/openRegistry.js";
import type { Registry } from "../../registry/registry.js";
import { type PostgresServer, startPostgres } from "../../registry/testing/postgresServer.js";
import { type RegistryFolder, registryFolder } from "../../registry/testing/registryFolder.js";
import { Mailer } from "../channel/mailer.js";
import { deliveryOf, newDeliveryRow } from "../delivery.js";
import { alertMessage } from "../testing/messages.js";
import {
  egressToTests,
  startMailReceiver,
  startWebReceiver,
  type WebReceiver,
} from "../testing/receivers.js";
import { attemptsMax } from "./backoff.js";
import { Deliverer, type DelivererOptions } from "./deliverer.js";
import { claimMs, DeliveryRows } from "./deliveryRows.js";

let folder: RegistryFolder;
let registry: Registry;
let web: WebReceiver;
let nowMs: number;
let channels: Map<string, readonly AlertChannel[]>;
let warnings: string[];
const deliverers: Deliverer[] = [];

beforeEach(async () => {
  folder = await registryFolder();
  registry = await folder.open();
  web = await startWebReceiver();
  nowMs = 1_750_000_000_000;
  warnings = [];
  channels = new Map([["rule-1", [{ kind: "webhook", url: web.url }]]]);
});
afterEach(async () => {
  web.close();
  for (const deliverer of deliverers.splice(0)) await deliverer.stop();
  await folder.remove();
});

function create(options: Partial<DelivererOptions> = {}): Deliverer {
  const deliverer = new Deliverer({
    rows: new DeliveryRows(registry),
    channelOf: async (ruleId, index) => channels.get(ruleId)?.[index] ?? null,
    illustrate: async () => ({ image: null, finds: [] }),
    means: { egress: egressToTests(), mailer: null, nowMs: () => nowMs },
    linkTo: (path) => `https://hadal.example.com${path}`,
    random: () => 0.5,
    warn: (text) => warnings.push(text),
    ...options,
  });
  deliverers.push(deliverer);
  return deliverer;
}

async function add(key: string, parts: { ruleId?: string; channel?: number; id?: string } = {}) {
  const { ruleId = "rule-1", channel = 0, id = key } = parts;
  const message = alertMessage({ ruleId, title: key });
  const row = newDeliveryRow({ key, id, ruleId, channel, message }, nowMs);
  await registry.write((transaction) =>
    transaction.insertInto("alert_deliveries").values(row).execute(),
  );
}

const all = async () => {
  const rows = await registry.read((database) =>
    database.selectFrom("alert_deliveries").selectAll().orderBy("key").execute(),
  );
  return rows.map(deliveryOf);
};

const ids = (): readonly string[] => web.received.map(({ body }) => JSON.parse(body).id);

/** Looks until nothing more is due, and all that was begun is over. */
async function deliver(deliverer: Deliverer): Promise<void> {
  await deliverer.look();
  await vi.waitFor(async () => {
    await deliverer.look();
    expect(deliverer.counts.running).toBe(0);
    expect(await new DeliveryRows(registry).due(nowMs)).toEqual([]);
  }, 20_000);
}

describe("messages", () => {
  test("are sent once, with what the registry has of them", async () => {
    await add("a", { id: "firing-a" });
    const deliverer = create();
    await deliver(deliverer);
    await deliver(deliverer);
    expect(JSON.parse(web.received[0]?.body ?? "")).toMatchObject({
      ...{ id: "firing-a", title: "a", value: 812 },
      link: "https://hadal.example.com/explore?q=1",
    });
    expect(web.received).toHaveLength(1);
    expect(await all()).toMatchObject([{ attempts: 1, doneAt: nowMs, deadAt: null, error: null }]);
    expect(deliverer.counts).toEqual({ sent: 1, failed: 0, dead: 0, running: 0 });
  });

  test("of one channel arrive in their order, also where the first one fails", async () => {
    for (const key of ["c", "b", "a"]) {
      await add(key);
      nowMs += 1;
    }
    const deliverer = create();
    web.answer = () => ({ status: web.received.length === 1 ? 503 : 200 });
    await deliver(deliverer);
    expect(ids()).toEqual(["c"]);
    expect(await all()).toMatchObject([
      ...[{ attempts: 0 }, { attempts: 0 }],
      { attempts: 1, nextAt: nowMs + 1_000, error: "it answered 503" },
    ]);
    nowMs += 1_000;
    await deliver(deliverer);
    expect(ids()).toEqual(["c", "c", "b", "a"]);
  });

  test("that were claimed by a process that ended are sent again, with the same id", async () => {
    await add("a", { id: "firing-a" });
    const rows = new DeliveryRows(registry);
    // What a process does before it sends; then it is killed.
    expect(await rows.claim("a", nowMs)).toMatchObject({ attempts: 1 });
    const deliverer = create();
    await deliver(deliverer);
    expect(ids()).toEqual([]);
    nowMs += claimMs;
    await deliver(deliverer);
    expect(ids()).toEqual(["firing-a"]);
    expect(await all()).toMatchObject([{ attempts: 2, doneAt: nowMs }]);
  });

  test("that were claimed by a process whose clock was hours ahead are sent", async () => {
    await add("a");
    expect(await new DeliveryRows(registry).claim("a", nowMs + 7_200_000)).not.toBeNull();
    await deliver(create());
    expect(ids()).toEqual(["a"]);
  });

  test("are given up after a day of trying, and keep their reason", async () => {
    await add("a");
    await add("b");
    web.answer = ({ body }) => ({ status: JSON.parse(body).id === "a" ? 500 : 200, text: "oh no" });
    const deliverer = create();
    for (let i = 1; i < attemptsMax; i++) {
      await registry.write((transaction) =>
        transaction
          .updateTable("alert_deliveries")
          .set({ attempts: i - 1, next_at: nowMs })
          .where("key", "=", "a")
          .execute(),
      );
      if (i % 50 !== 1) continue;
      await deliver(deliverer);
      expect(await all()).toMatchObject([{ attempts: i, deadAt: null }, { attempts: 0 }]);
    }
    await registry.write((transaction) =>
      transaction
        .updateTable("alert_deliveries")
        .set({ attempts: attemptsMax - 1, next_at: nowMs })
        .where("key", "=", "a")
        .execute(),
    );
    await deliver(deliverer);
    expect(await all()).toMatchObject([
      { attempts: attemptsMax, doneAt: null, deadAt: nowMs, error: "it answered 500: oh no" },
      { doneAt: nowMs },
    ]);
    expect(warnings).toEqual([expect.stringContaining("rule rule-1 to its channel 0 is given up")]);
  });

  test("to what is not sent to, and of what is gone, are given up at once", async () => {
    channels.set("rule-2", [{ kind: "webhook", url: "http://10.0.0.5/secret" }]);
    await add("a", { ruleId: "rule-2" });
    await add("b", { ruleId: "rule-3" });
    await add("c", { channel: 1 });
    await deliver(create());
    expect(await all()).toMatchObject([
      { deadAt: nowMs, error: expect.stringMatching(/^egress-refused: .*10\.0\.0\.5/) },
      { deadAt: nowMs, error: "the channel was removed" },
      { deadAt: nowMs, error: "the channel was removed" },
    ]);
  });

  test("go without a picture that fails or is too large", async () => {
    const illustrations = [
      async () => Promise.reject(new Error("no thread")),
      async () => ({ image: new Uint8Array(1 << 20), finds: ["f"] }),
      async () => ({ image: Uint8Array.of(1), finds: ["f"] }),
    ];
    for (const [i, illustrate] of illustrations.entries()) {
      await add(`m${i}`);
      await deliver(create({ illustrate }));
    }
    expect(
      web.received.map(({ body }) => JSON.parse(body)).map(({ image, finds }) => [image, finds]),
    ).toEqual([
      [null, []],
      [null, ["f"]],
      ["data:image/png;base64,AQ==", ["f"]],
    ]);
  });

  test("that were sent or given up long ago are removed", async () => {
    await add("a");
    await add("b", { ruleId: "rule-3" });
    await deliver(create());
    nowMs += 8 * 86_400_000;
    await deliver(create());
    expect(await all()).toMatchObject([{ key: "b" }]);
    nowMs += 90 * 86_400_000;
    await deliver(create());
    expect(await all()).toEqual([]);
  });
});

describe("receivers", () => {
  test("that hang keep no other one waiting", async () => {
    const hanging = await startWebReceiver();
    hanging.answer = () => "hang";
    const other = new URL(hanging.url);
    for (let i = 0; i < 30; i++) {
      channels.set(`hanging-${i}`, [{ kind: "slack", url: other.href }]);
      await add(`a${i}`, { ruleId: `hanging-${i}` });
    }
    nowMs += 1;
    for (let i = 0; i < 30; i++) {
      channels.set(`good-${i}`, [{ kind: "webhook", url: web.url }]);
      await add(`b${i}`, { ruleId: `good-${i}` });
    }
    const deliverer = create();
    await deliverer.look();
    await vi.waitFor(() => expect(deliverer.counts.sent).toBe(30), 4_000);
    // All of these had been due before.
    expect(hanging.received.length).toBe(2);
    expect(deliverer.counts).toMatchObject({ failed: 0, running: 2 });
    hanging.close();
    await vi.waitFor(() => expect(deliverer.counts.failed).toBeGreaterThanOrEqual(2));
  });

  test("of mail that were away get all of it, in order, when they are back", async () => {
    const first = await startMailReceiver();
    const mailer = new Mailer(`smtp://127.0.0.1:${first.port}`);
    await first.close();
    channels.set("rule-1", [{ kind: "email", to: ["ann@example.com"] }]);
    const means = { egress: egressToTests(), mailer, nowMs: () => nowMs };
    const deliverer = create({ means });
    for (const key of ["a", "b"]) {
      await add(key);
      nowMs += 1;
    }
    // An hour, of which each attempt is one of its own.
    for (let i = 0; i < 12; i++) {
      await deliver(deliverer);
      nowMs += 300_000;
    }
    const [{ attempts, error } = expect.unreachable(), waiting] = await all();
    expect(error).toMatch(/^mail: .*ECONNREFUSED/);
    expect(attempts).toBeGreaterThan(9);
    expect(waiting).toMatchObject({ attempts: 0, doneAt: null });
    const back = await startMailReceiver(first.port);
    nowMs += 900_000;
    await deliver(deliverer);
    expect(back.mails.map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1]?.trim())).toEqual([
      "Firing: a",
      "Firing: b",
    ]);
    await back.close();
  });
});

describe("the registry", () => {
  test("may be away when a message was sent: this process does not send it again", async () => {
    await add("a");
    const deliverer = create();
    const other = new Database(join(folder.path, registryFile));
    web.answer = () => {
      // From here on no one else can write.
      other.exec("begin immediate");
      return { status: 200 };
    };
    await deliverer.look();
    await vi.waitFor(() => expect(warnings).toHaveLength(1), 5_000);
    expect(warnings).toEqual([expect.stringContaining("no messages are sent now")]);
    other.exec("rollback");
    other.close();
    nowMs += claimMs;
    await deliver(deliverer);
    expect(ids()).toEqual(["a"]);
    expect(await all()).toMatchObject([{ attempts: 1, doneAt: expect.any(Number) }]);
  });
});

describe("several gateways", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server?.remove());

  test.each(["SQLite", "PostgreSQL"])("send each message once, of %s", async (kind) => {
    const shared = await registryFolder(kind === "SQLite" ? null : await server.createDatabase());
    registry = await shared.open();
    const other = await shared.open();
    for (let i = 0; i < 40; i++) {
      channels.set(`r${i}`, [{ kind: "webhook", url: web.url.replace("/hook", `/${i}`) }]);
      await add(`k${i}`, { ruleId: `r${i}` });
    }
    const both = [create(), create({ rows: new DeliveryRows(other) })];
    await Promise.all(both.map(deliver));
    expect([...ids()].sort()).toEqual(Array.from({ length: 40 }, (_, i) => `k${i}`).sort());
    for (const deliverer of both) await deliverer.stop();
    await shared.remove();
  });
});
