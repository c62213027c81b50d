import type { AlertChannel, AlertRule, TimeRange } from "@hadal/sdk";
import { lockAlerts } from "../../registry/alert/alertLease.js";
import { addEvents, type KeptRule, putRule, readRules } from "../../registry/alert/alertRows.js";
import type { RegistryTransaction } from "../../registry/database/database.js";
import type { Registry } from "../../registry/registry.js";
import { identityOf } from "../channel/channelKinds.js";
import { newDeliveryRow } from "../delivery.js";
import type { Judgement } from "../judge/judge.js";
import { type ChannelSecrets, withSecret } from "../rule/channelSecrets.js";
import { advance } from "../state/advance.js";
import type { RuleState } from "../state/ruleState.js";
import { messageOf, type NamedRule } from "./messageOf.js";

/** What one evaluation of a rule found. */
export interface Evaluated {
  readonly named: NamedRule;
  /** As it was when the rule was asked; what was written since counts. */
  readonly kept: KeptRule;
  readonly window: TimeRange;
  readonly judgement: Judgement;
}

export interface CommitOptions {
  /** That has the lease. */
  readonly holder: string;
  readonly nowMs: number;
  readonly newId: () => string;
  /** Of the channels of a rule that comes from a file. */
  readonly secretsOfFile: (ruleId: string) => ChannelSecrets;
}

/**
 * Writes the next state of rules, their history and their messages, all or nothing. Rejects with `unavailable` where
 * another gateway has taken over, and with `registry-unavailable`; it may be done again then.
 */
export async function commitEvaluations(
  registry: Registry,
  evaluated: readonly Evaluated[],
  options: CommitOptions,
): Promise<void> {
  if (evaluated.length === 0) return;
  await registry.write(async (transaction) => {
    await lockAlerts(transaction, options.holder);
    const ids = evaluated.map(({ named }) => named.id);
    const kept = await readRules(transaction, ids, (text) => registry.warn(text));
    for (const one of evaluated) {
      await commitOne(transaction, one, kept.get(one.named.id) ?? one.kept, options);
    }
  });
}

async function commitOne(
  transaction: RegistryTransaction,
  { named, window, judgement }: Evaluated,
  kept: KeptRule,
  { nowMs, newId, secretsOfFile }: CommitOptions,
): Promise<void> {
  const before = stateOf(kept);
  const step = advance(named.rule, before, {
    ...{ judgement, toMs: window.toMs, nowMs, newId },
    isMuted: kept.mutedUntilMs > nowMs,
  });
  if (step.state === before) return;
  await putRule(transaction, { ...kept, state: JSON.stringify(step.state) });
  await addEvents(transaction, named.id, step.events);
  if (step.notices.length === 0) return;
  const secrets = named.isOfFile ? secretsOfFile(named.id) : kept.secrets;
  const channels = await channelsOf(transaction, named);
  const created_at = await nextPlace(transaction, named.id, nowMs);
  const rows = step.notices.flatMap((notice) => {
    const { id, state, repetition } = notice;
    const message = messageOf(named, notice, window, step.state);
    return channels.map((one, channel) => {
      const key = `${id}/${state}/${repetition}/${channel}`;
      const to = identityOf(withSecret(one, channel, secrets));
      const row = newDeliveryRow({ key, id, ruleId: named.id, channel, to, message }, nowMs);
      return { ...row, created_at };
    });
  });
  if (rows.length > 0) await transaction.insertInto("alert_deliveries").values(rows).execute();
}

/** As they are saved now, in the order of their secrets: the rule in memory may be a second older. */
async function channelsOf(
  transaction: RegistryTransaction,
  { id, rule, isOfFile }: NamedRule,
): Promise<readonly AlertChannel[]> {
  if (isOfFile) return rule.channels;
  const row = await transaction
    .selectFrom("document")
    .select("body")
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return rule.channels;
  const { channels = [] } = JSON.parse(row.body) as Partial<AlertRule>;
  return channels;
}

/** After all that the rule has said: a clock that was put back must not put "over" before "firing". */
async function nextPlace(
  transaction: RegistryTransaction,
  ruleId: string,
  nowMs: number,
): Promise<number> {
  const { latest } = await transaction
    .selectFrom("alert_deliveries")
    .select(({ fn }) => fn.max("created_at").as("latest"))
    .where("rule_id", "=", ruleId)
    .where("done_at", "is", null)
    .executeTakeFirstOrThrow();
  return Math.max(nowMs, 1 + Number(latest ?? 0));
}

/** Null: the rule was not evaluated yet. */
export const stateOf = ({ state }: Pick<KeptRule, "state">): RuleState | null =>
  state === null ? null : (JSON.parse(state) as RuleState);
