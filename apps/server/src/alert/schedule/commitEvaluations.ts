import type { TimeRange } from "@hadal/sdk";
import { lockAlerts } from "../../registry/alert/alertLease.js";
import { addEvents, type KeptRule, putRule, readRules } from "../../registry/alert/alertRows.js";
import type { RegistryTransaction } from "../../registry/database/database.js";
import type { Registry } from "../../registry/registry.js";
import { newDeliveryRow } from "../delivery.js";
import type { Judgement } from "../judge/judge.js";
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
  { nowMs, newId }: CommitOptions,
): Promise<void> {
  const before = stateOf(kept);
  const step = advance(named.rule, before, {
    ...{ judgement, toMs: window.toMs, nowMs, newId },
    isMuted: kept.mutedUntilMs > nowMs,
  });
  if (step.state === before) return;
  await putRule(transaction, { ...kept, state: JSON.stringify(step.state) });
  await addEvents(transaction, named.id, step.events);
  const rows = step.notices.flatMap((notice) => {
    const { id, state, repetition } = notice;
    const message = messageOf(named, notice, window, step.state);
    return named.rule.channels.map((_, channel) => {
      const key = `${id}/${state}/${repetition}/${channel}`;
      return newDeliveryRow({ key, id, ruleId: named.id, channel, message }, nowMs);
    });
  });
  if (rows.length > 0) await transaction.insertInto("alert_deliveries").values(rows).execute();
}

/** Null: the rule was not evaluated yet. */
export const stateOf = ({ state }: Pick<KeptRule, "state">): RuleState | null =>
  state === null ? null : (JSON.parse(state) as RuleState);
