import { type AlertEvent, HadalError, type Result } from "@hadal/sdk";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { trials } from "../../../test/oracle/seed/seed.js";
import { lockAlerts } from "../../registry/alert/alertLease.js";
import { putRule } from "../../registry/alert/alertRows.js";
import type { Registry } from "../../registry/registry.js";
import { type PostgresServer, startPostgres } from "../../registry/testing/postgresServer.js";
import { type RegistryFolder, registryFolder } from "../../registry/testing/registryFolder.js";
import { DeliveryRows } from "../deliver/deliveryRows.js";
import { deliveryOf } from "../delivery.js";
import { fullRule } from "../rule/fullRule.js";
import { AlertScheduler } from "./alertScheduler.js";
import type { AlertQuestion } from "./evaluateRules.js";
import type { NamedRule } from "./messageOf.js";

const everyMs = 1_000;
const startMs = 1_800_000_000_000;

const ruleOf = (id: string, value = 5, waitMs = 0): NamedRule => ({
  ...{ id, title: id, version: 1, isOfFile: false },
  rule: fullRule({
    query: { table: "t", from: "-1s", to: "now", aggregates: [{ fn: "count" }] },
    condition: { aggregate: "count", op: "above", value },
    channels: [
      { kind: "webhook", url: "http://example.com/a" },
      { kind: "slack", url: "http://example.com/b" },
    ],
    ...{ everyMs, waitMs },
  }),
});

const resultOf = (count: number): Result => ({
  columns: [{ name: "count", type: "int", role: "aggregate" }],
  rows: [[count]],
  completeness: { fraction: 1, leaves: { answered: 1, total: 1, missing: [] } },
  ...{ intervals: {}, asOf: 0, final: true, truncated: null },
  stats: { rowsMatched: count, cache: "miss", elapsedMs: 0, scanMs: 0, mergeMs: 0 },
});

const groupedOf = (rows: Result["rows"]): Result => ({
  ...resultOf(0),
  columns: [
    { name: "page", type: "string", role: "group" },
    { name: "count", type: "int", role: "aggregate" },
  ],
  rows,
});

let folder: RegistryFolder;
let registry: Registry;
let rules: readonly NamedRule[];
let clockMs = startMs;
let asked: AlertQuestion[] = [];
/** The number of rows in the window that ends then. */
let countAt: (toMs: number) => number = () => 0;
let gateways = 0;

/** Groups with their numbers in that window; null: there are none, and `countAt` counts. */
let rowsAt: ((toMs: number) => readonly (readonly [string, number])[]) | null = null;

/** What happens while a question is being answered. */
let whileAsked: () => Promise<HadalError | undefined> = async () => undefined;

type Fate = "killed before" | "killed after";

/** A gateway; `fates`: what happens to its next writes, by how many come before. */
class Gateway {
  readonly fates = new Map<number, Fate>();
  #writes = 0;
  readonly holder = `g${++gateways}`;
  readonly scheduler: AlertScheduler;
  #nowMs = 0;

  constructor() {
    const write: Registry["write"] = async (work) => {
      const fate = this.fates.get(this.#writes++);
      if (fate === "killed before") throw new HadalError("registry-unavailable", { detail: fate });
      const value = await registry.write(work);
      if (fate === "killed after") throw new HadalError("registry-unavailable", { detail: fate });
      return value;
    };
    const own = new Proxy(registry, {
      get: (target, name) => {
        if (name === "write") return write;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    this.scheduler = new AlertScheduler({
      ...{ registry: own, holder: this.holder, rules: () => rules, lateMs: () => 0 },
      secretsOfFile: () => ({}),
      ask: async (questions) => {
        asked.push(...questions);
        const failure = await whileAsked();
        return questions.map(({ query: { to } }) => {
          const rows = rowsAt?.(Number(to)) ?? null;
          return failure ?? (rows === null ? resultOf(countAt(Number(to))) : groupedOf(rows));
        });
      },
      firstRowMs: async () => null,
      nowMs: () => clockMs,
      now: () => this.#nowMs,
      newId: () => crypto.randomUUID(),
      warn: () => undefined,
    });
  }

  /** The lease is renewed in each. */
  round(): Promise<void> {
    this.#nowMs += 4_000;
    return this.scheduler.run();
  }

  /** It is killed in one of its next writes. */
  doom(fate: Fate, writes: number): void {
    this.fates.set(this.#writes + writes, fate);
  }
}

/** As if so much time had passed that whoever has the lease has lost it. */
const endLease = () =>
  registry.write((transaction) =>
    transaction.updateTable("alert_lease").set({ until_ms: 0 }).execute(),
  );

async function save(...all: readonly NamedRule[]): Promise<void> {
  rules = all;
  await registry.write(async (transaction) => {
    await lockAlerts(transaction, null);
    for (const { id } of all)
      await putRule(transaction, {
        ...{ ruleId: id, owner: { kind: "anyone", id: null }, secrets: {} },
        ...{ mutedUntilMs: 0, state: null },
      });
  });
}

const deliveries = async () =>
  (
    await registry.read((database) =>
      database.selectFrom("alert_deliveries").selectAll().orderBy("next_at").execute(),
    )
  ).map(deliveryOf);

async function history(): Promise<readonly AlertEvent[]> {
  const rows = await registry.read((database) =>
    database.selectFrom("alert_history").select("body").orderBy("id").execute(),
  );
  return rows.map(({ body }) => JSON.parse(body) as AlertEvent);
}

async function clear(): Promise<void> {
  await registry.write(async (transaction) => {
    for (const table of [
      ...(["alert_lease", "alert_rule", "alert_history", "alert_deliveries"] as const),
    ])
      await transaction.deleteFrom(table).execute();
  });
}

beforeEach(() => {
  clockMs = startMs;
  asked = [];
  countAt = () => 0;
  rowsAt = null;
  whileAsked = async () => undefined;
});

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(() => server?.remove());

describe.each(["SQLite", "PostgreSQL"])("rules in %s", (kind) => {
  beforeAll(async () => {
    folder = await registryFolder(kind === "SQLite" ? null : await server.createDatabase());
    registry = await folder.open();
  }, 60_000);
  afterAll(() => folder.remove());
  beforeEach(clear);

  test("one gateway evaluates them, another takes over, and nothing is said twice", async () => {
    await save(ruleOf("r"));
    countAt = (toMs) => (toMs > startMs + 1_500 ? 9 : 0);
    const [a, b] = [new Gateway(), new Gateway()];
    await a.round();
    await b.round();
    expect([a, b].map(({ scheduler }) => scheduler.metrics.evaluations)).toEqual([1, 0]);
    clockMs += 3_000;
    await a.round();
    await a.round();
    expect((await deliveries()).map(({ channel, state }) => [channel, state])).toEqual([
      [0, "firing"],
      [1, "firing"],
    ]);
    await a.scheduler.close();
    clockMs += 1_000;
    await b.round();
    expect(b.scheduler.metrics.evaluations).toBe(1);
    expect((await deliveries()).length).toBe(2);
    countAt = () => 0;
    clockMs += 1_000;
    await b.round();
    const all = await deliveries();
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(all.map(({ state }) => state)).toEqual(["firing", "firing", "ok", "ok"]);
    expect((await history()).map(({ state }) => state)).toEqual(["firing", "ok"]);
  });

  test("one that was paused and has lost the lease writes nothing", async () => {
    await save(ruleOf("r"));
    countAt = () => 9;
    const [a, b] = [new Gateway(), new Gateway()];
    whileAsked = async () => {
      whileAsked = async () => undefined;
      await endLease();
      countAt = () => 0;
      await b.round();
      countAt = () => 9;
      return undefined;
    };
    await a.round();
    expect([asked.length, (await deliveries()).length]).toEqual([2, 0]);
    expect([a, b].map(({ scheduler }) => scheduler.metrics.isLeader)).toEqual([false, true]);
  });

  test("rules with the same question ask it once, and those of another owner theirs", async () => {
    await save(ruleOf("r"), ruleOf("s", 7), ruleOf("u"));
    await registry.write((transaction) =>
      putRule(transaction, {
        ...{ ruleId: "u", owner: { kind: "user", id: "ann" }, secrets: {} },
        ...{ mutedUntilMs: 0, state: null },
      }),
    );
    await new Gateway().round();
    expect(asked.map(({ owner }) => owner.id)).toEqual([null, "ann"]);
  });

  test("a query that fails is unknown, and says why; a damaged row is left alone", async () => {
    await save(ruleOf("r"), ruleOf("damaged"));
    await registry.write((transaction) =>
      transaction
        .updateTable("alert_rule")
        .set({ muted_until_ms: 7 })
        .where("rule_id", "=", "damaged")
        .execute(),
    );
    whileAsked = async () => new HadalError("no-leaves", { missing: "leaf-1" });
    const gateway = new Gateway();
    await gateway.round();
    expect(await history()).toMatchObject([
      { state: "unknown", reason: expect.stringMatching(/^no-leaves: .*leaf-1/) },
    ]);
    expect(gateway.scheduler.metrics).toMatchObject({ evaluations: 1, behind: 0 });
  });

  test("what is over is said after what began, also where the clock was put back between them", async () => {
    await save(ruleOf("r"));
    countAt = () => 9;
    const gateway = new Gateway();
    await gateway.round();
    clockMs -= 120_000;
    countAt = () => 0;
    await gateway.round();
    expect((await deliveries()).map(({ state }) => state).sort()).toEqual([
      ...["firing", "firing", "ok", "ok"],
    ]);
    const due = await new DeliveryRows(registry).due(startMs + 60_000);
    expect(due.map(({ key }) => key.split("/")[1])).toEqual(["firing", "firing"]);
  });

  test("a lease that a clock of the database gave for hours is taken over", async () => {
    await save(ruleOf("r"));
    const [a, b] = [new Gateway(), new Gateway()];
    await a.round();
    await registry.write((transaction) =>
      transaction
        .updateTable("alert_lease")
        .set(({ eb }) => ({ until_ms: eb("until_ms", "+", 3_600_000) }))
        .execute(),
    );
    await b.round();
    expect(b.scheduler.metrics.isLeader).toBe(true);
  });

  test("1,000 groups that begin to fire together are one message to each channel", async () => {
    const one = ruleOf("r");
    const query = { ...one.rule.query, groupBy: ["page"] };
    await save({ ...one, rule: { ...one.rule, query, perGroup: true } });
    rowsAt = () => Array.from({ length: 1_000 }, (_, i) => [`page ${i}`, 9]);
    const gateway = new Gateway();
    await gateway.round();
    const messages = (await deliveries()).map(({ message }) => message);
    expect(
      messages.map(({ state, groupCount, groups }) => [state, groupCount, groups.length]),
    ).toEqual([
      ["firing", 1_000, 10],
      ["firing", 1_000, 10],
    ]);
    expect(JSON.stringify(messages).length).toBeLessThan(10_000);
    expect((await history()).length).toBe(11);
    rowsAt = () => [];
    clockMs += everyMs;
    await gateway.round();
    expect((await deliveries()).map(({ state }) => state).sort()).toEqual([
      ...["firing", "firing", "ok", "ok"],
    ]);
  });

  test("the same time last week is that of the clock, through the nights when it changes", async () => {
    const one = ruleOf("r", 50);
    const query = { ...one.rule.query, from: "-1h", timeZone: "America/New_York" };
    const condition = { aggregate: "count", op: "changed-by", value: 50, against: "7d" } as const;
    await save({ ...one, rule: { ...one.rule, query, condition } });
    const hours = async (at: string): Promise<readonly unknown[]> => {
      // Whatever the rule's place in its second is.
      clockMs = Date.parse(at) + 999;
      asked = [];
      await new Gateway().round();
      await endLease();
      return asked.map(({ query: { from, to } }) =>
        [from, to].map((ms) => new Date(Math.floor(Number(ms) / 1_000) * 1_000).toISOString()),
      );
    };
    // From 8 March 2026, 2:00, New York is at UTC-4 instead of UTC-5.
    expect(await hours("2026-03-08T06:30:00Z")).toEqual([
      ["2026-03-08T05:30:00.000Z", "2026-03-08T06:30:00.000Z"],
      ["2026-03-01T05:30:00.000Z", "2026-03-01T06:30:00.000Z"],
    ]);
    expect(await hours("2026-03-08T16:30:00Z")).toEqual([
      ["2026-03-08T15:30:00.000Z", "2026-03-08T16:30:00.000Z"],
      ["2026-03-01T16:30:00.000Z", "2026-03-01T17:30:00.000Z"],
    ]);
    // From 1 November 2026, 2:00, it is at UTC-5 again.
    expect(await hours("2026-11-01T17:30:00Z")).toEqual([
      ["2026-11-01T16:30:00.000Z", "2026-11-01T17:30:00.000Z"],
      ["2026-10-25T15:30:00.000Z", "2026-10-25T16:30:00.000Z"],
    ]);
  });

  test("under kills, lost leases and jumps of the clock each firing is written exactly once", async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), tryOnce), {
      numRuns: trials(kind === "SQLite" ? 25 : 5, kind === "SQLite" ? 1_000 : 100),
    });
  }, 3_600_000);
});

type Step =
  | { readonly do: "round"; readonly by: number }
  | { readonly do: Fate; readonly by: number; readonly writes: number }
  | { readonly do: "lease ends" }
  | { readonly do: "clock"; readonly ms: number };

const by = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant("round" as const), by }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("killed before" as const, "killed after" as const),
      ...{ by, writes: fc.nat(3) },
    }),
  },
  { weight: 3, arbitrary: fc.constant({ do: "lease ends" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ do: fc.constant("clock" as const), ms: fc.integer({ min: -120_000, max: 120_000 }) },
    }),
  },
);

async function tryOnce(steps: readonly Step[]): Promise<void> {
  await clear();
  clockMs = startMs;
  await save(ruleOf("r"), ruleOf("s", 2));
  countAt = (toMs) => Math.floor(toMs / everyMs / 2) % 7;
  const gateways = [new Gateway(), new Gateway(), new Gateway()];
  for (const one of steps) {
    clockMs += everyMs;
    if (one.do === "lease ends") await endLease();
    else if (one.do === "clock") clockMs += one.ms;
    else {
      if (one.do !== "round") gateways[one.by]!.doom(one.do, one.writes);
      await gateways[one.by]!.round();
      // What it knew is lost; the next one is another run.
      if (one.do !== "round") gateways[one.by] = new Gateway();
    }
  }
  await checkOnce();
}

async function checkOnce(): Promise<void> {
  const events = await history();
  const all = await deliveries();
  for (const rule of ["r", "s"]) {
    const own = all.filter(({ ruleId, channel }) => ruleId === rule && channel === 0);
    const ids = new Set(own.map(({ id }) => id));
    for (const id of ids) {
      // A clock that was put back may turn their order round.
      const noted = events
        .filter(({ firing }) => firing === id)
        .map(({ state }) => state)
        .sort();
      const sent = all.filter((one) => one.id === id);
      const states = (channel: number) =>
        sent.flatMap((one) => (one.channel === channel ? [one.state] : [])).sort();
      // Noted once, sent once by each channel, and never again once it is over.
      expect([["firing"], ["firing", "ok"]]).toContainEqual(noted);
      expect([states(0), states(1)]).toEqual([noted, noted]);
    }
  }
  const firings = events.filter(({ state }) => state === "firing");
  expect(new Set(all.map(({ id }) => id)).size).toBe(firings.length);
}
