import { lockAlerts } from "../../../registry/alert/alertLease.js";
import { putRule } from "../../../registry/alert/alertRows.js";
import type { Registry } from "../../../registry/registry.js";
import { fullRule } from "../../rule/fullRule.js";
import type { NamedRule } from "../../schedule/messageOf.js";
import { beginFaults, endFaults, restartAll } from "./faults.js";
import type { History } from "./history.js";
import type { Plant } from "./plants.js";
import { Receivers } from "./receivers.js";
import type { SharedParts } from "./sharedParts.js";
import { SimulatedGateway } from "./simulatedGateway.js";
import { watchTakeovers } from "./takeovers.js";
import { Truth } from "./truth.js";
import { World } from "./world.js";

const startMs = 1_800_000_000_000;
const faultyMs = 60_000;
/** What clocks that were hours ahead have put off is sent. */
const mendMs = 40_000;
/** No gateway runs meanwhile: the longest pause between two attempts is over then. */
const sleepMs = 1_200_000;
/** What was left is sent, and clocks that were ahead are reached. */
const recoveryMs = 60_000;
const quietMs = 30_000;
const lastMessagesMs = 6_000;

const receiverUrls = ["http://one.example/", "http://two.example/"] as const;

/** What happens in a world with this seed: faults, their end, and a time without any. */
export async function simulate(
  registry: Registry,
  seed: number,
  plant: Plant | null = null,
): Promise<History> {
  const world = new World(seed, startMs);
  let names = 0;
  const shared: SharedParts = {
    ...{ world, registry, plant, faults: [], registryOffsetMs: 0, awayUntilMs: 0 },
    ...{ lossyUntilMs: 0, rules: rules(), evaluatedMs: startMs },
    truth: new Truth(seed, startMs + faultyMs + mendMs + sleepMs),
    receivers: new Receivers(world),
    newName: (kind) => `${kind}-${++names}`,
  };
  await saveRules(shared);
  const gateways = Array.from(
    { length: world.between(2, 3) },
    () => new SimulatedGateway(shared, 0),
  );
  const awakeMs = startMs + faultyMs + mendMs + sleepMs;
  const quietFromMs = awakeMs + recoveryMs;
  const quiet = { fromMs: quietFromMs, toMs: quietFromMs + quietMs };
  const history: History = Object.assign(shared, { gateways, quiet });
  watchTakeovers(history, quiet.toMs);
  beginFaults(history, startMs + faultyMs);
  await world.runUntil(startMs + faultyMs);
  endFaults(history);
  await world.runUntil(awakeMs - sleepMs);
  for (const gateway of gateways) gateway.kill();
  await world.runUntil(awakeMs);
  restartAll(history);
  await world.runUntil(quiet.toMs + lastMessagesMs);
  return history;
}

/** Rules that differ in how they come to a firing. */
function rules(): readonly NamedRule[] {
  const condition = { aggregate: "count", op: "above", value: 5 } as const;
  const query = { table: "t", from: "-1s", to: "now", aggregates: [{ fn: "count" }] } as const;
  const perGroup = { query: { ...query, table: "u", groupBy: ["g"] }, perGroup: true };
  const all = {
    plain: { query, condition, everyMs: 1_000 },
    twice: { query, condition, everyMs: 2_000, forTimes: 2 },
    groups: { ...perGroup, condition, everyMs: 2_000 },
    unsure: { query, condition, everyMs: 1_000, notifyUnknown: true, repeatMs: 10_000 },
  };
  const channels = receiverUrls.map((url) => ({ kind: "webhook", url }) as const);
  return Object.entries(all).map(([id, rule]) => ({
    ...{ id, title: id, version: 1, isOfFile: false },
    rule: fullRule({ ...rule, waitMs: 0, channels }),
  }));
}

async function saveRules({ registry, rules }: SharedParts): Promise<void> {
  await registry.write(async (transaction) => {
    for (const table of [
      ...(["alert_lease", "alert_rule", "alert_history", "alert_deliveries"] as const),
    ])
      await transaction.deleteFrom(table).execute();
    await lockAlerts(transaction, null);
    for (const { id } of rules)
      await putRule(transaction, {
        ...{ ruleId: id, owner: { kind: "anyone", id: null }, secrets: {} },
        ...{ mutedUntilMs: 0, state: null },
      });
  });
}
