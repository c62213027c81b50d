import { randomBytes } from "node:crypto";
import type { AlertEvent, TimeRange } from "@hadal/sdk";
import { checksumOf } from "../database/checksum.js";
import type { RegistryDatabase, RegistryTransaction } from "../database/database.js";
import type { AlertRuleRow } from "../database/tables.js";

/** Whose rights the queries of a rule have. */
export interface AlertOwner {
  /** `anyone`: it was saved where no one signs in; `server`: it is in a file of the server. */
  readonly kind: "anyone" | "user" | "token" | "server";
  readonly id: string | null;
}

/** What belongs to a rule beside its document. */
export interface KeptRule {
  readonly ruleId: string;
  readonly owner: AlertOwner;
  /** What its channels are reached with, by their place. */
  readonly secrets: Readonly<Record<string, string>>;
  /** 0: it is not muted. */
  readonly mutedUntilMs: number;
  /** JSON of its state; null: it was not evaluated yet. */
  readonly state: string | null;
}

/** Of some rules, by id. A damaged row is reported and left out. */
export async function readRules(
  database: RegistryDatabase | RegistryTransaction,
  ruleIds: readonly string[],
  warn: (text: string) => void,
): Promise<ReadonlyMap<string, KeptRule>> {
  if (ruleIds.length === 0) return new Map();
  const rows = await database
    .selectFrom("alert_rule")
    .selectAll()
    .where("rule_id", "in", ruleIds)
    .execute();
  const intact = rows.filter((row) => {
    if (row.checksum === checksumOfRow(row)) return true;
    warn(`the state of the alert rule ${row.rule_id} is damaged: save the rule again`);
    return false;
  });
  return new Map(intact.map((row) => [row.rule_id, ruleOf(row)]));
}

export async function putRule(transaction: RegistryTransaction, rule: KeptRule): Promise<void> {
  const own = {
    ...{ rule_id: rule.ruleId, owner: JSON.stringify(rule.owner) },
    ...{ secrets: JSON.stringify(rule.secrets), muted_until_ms: rule.mutedUntilMs },
    state: rule.state ?? "null",
  };
  const row = { ...own, checksum: checksumOfRow(own) };
  await transaction
    .insertInto("alert_rule")
    .values(row)
    .onConflict((conflict) => conflict.column("rule_id").doUpdateSet(row))
    .execute();
}

export async function addEvents(
  transaction: RegistryTransaction,
  ruleId: string,
  events: readonly AlertEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event, i) => ({
    ...{ id: eventId(event.at, i), rule_id: ruleId, at_ms: event.at, state: event.state },
    body: JSON.stringify(event),
  }));
  await transaction.insertInto("alert_history").values(rows).execute();
}

/** The newest first; `beforeMs`: only those before. */
export async function listEvents(
  database: RegistryDatabase,
  ruleId: string,
  { beforeMs, count }: { readonly beforeMs: number | null; readonly count: number },
): Promise<readonly AlertEvent[]> {
  let query = database
    .selectFrom("alert_history")
    .select("body")
    .where("rule_id", "=", ruleId)
    .orderBy("id", "desc")
    .limit(count);
  if (beforeMs !== null) query = query.where("at_ms", "<", beforeMs);
  return (await query.execute()).map(({ body }) => JSON.parse(body) as AlertEvent);
}

/**
 * How many messages of each rule, written since then, a channel did not take: they are tried again, or were
 * given up. Rules without any are left out.
 */
export async function countUndelivered(
  database: RegistryDatabase,
  ruleIds: readonly string[],
  sinceMs: number,
): Promise<ReadonlyMap<string, number>> {
  if (ruleIds.length === 0) return new Map();
  const rows = await database
    .selectFrom("alert_deliveries")
    .select(({ fn }) => ["rule_id as ruleId", fn.countAll<number | string>().as("count")])
    .where("rule_id", "in", ruleIds)
    .where("created_at", ">=", sinceMs)
    .where("done_at", "is", null)
    .where("error", "is not", null)
    .groupBy("rule_id")
    .execute();
  return new Map(rows.map(({ ruleId, count }) => [ruleId, Number(count)]));
}

/** Of one search: a busy rule of many groups writes some thousand a day. */
const firingEventsMax = 10_000;

/** Beginnings and ends of firings, by time; of too many the newest. */
export async function listFiringEvents(
  database: RegistryDatabase,
  ruleIds: readonly string[],
  { fromMs, toMs }: TimeRange,
): Promise<readonly { readonly ruleId: string; readonly event: AlertEvent }[]> {
  if (ruleIds.length === 0) return [];
  const rows = await database
    .selectFrom("alert_history")
    .select(["rule_id as ruleId", "body"])
    .where("rule_id", "in", ruleIds)
    .where("state", "in", ["firing", "ok"])
    .where("at_ms", ">=", fromMs)
    .where("at_ms", "<", toMs)
    .orderBy("id", "desc")
    .limit(firingEventsMax)
    .execute();
  return rows
    .reverse()
    .map(({ ruleId, body }) => ({ ruleId, event: JSON.parse(body) as AlertEvent }));
}

export async function removeEvents(
  transaction: RegistryTransaction,
  beforeMs: number,
): Promise<void> {
  await transaction.deleteFrom("alert_history").where("at_ms", "<", beforeMs).execute();
}

/** Hexadecimal, so that all databases sort it alike: time 12, place 4, chance 8. */
function eventId(atMs: number, place: number): string {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");
  return `${hex(Math.max(0, atMs), 12)}${hex(place, 4)}${randomBytes(4).toString("hex")}`;
}

const ruleOf = (row: AlertRuleRow): KeptRule => ({
  ruleId: row.rule_id,
  owner: JSON.parse(row.owner) as AlertOwner,
  secrets: JSON.parse(row.secrets) as KeptRule["secrets"],
  mutedUntilMs: row.muted_until_ms,
  state: row.state === "null" ? null : row.state,
});

const checksumOfRow = (row: Omit<AlertRuleRow, "checksum">): string =>
  checksumOf([row.rule_id, row.owner, row.secrets, row.muted_until_ms, row.state]);
