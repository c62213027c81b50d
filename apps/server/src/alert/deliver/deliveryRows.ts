import type { AlertEvent } from "@hadal/sdk";
import { addEvents } from "../../registry/alert/alertRows.js";
import type { Registry } from "../../registry/registry.js";
import { type AlertDelivery, deliveryOf } from "../delivery.js";
import { pauseMsLongest } from "./backoff.js";

/** A claim that nothing came of, since its process ended, ends after this. Longer than any attempt takes. */
export const claimMs = 60_000;
/** Due messages that are looked at at once, without their texts. */
const dueMax = 10_000;
/** Longer ones say no more to people. */
const errorUnitsMax = 500;

/** A message whose turn it is. */
export interface DueDelivery {
  readonly key: string;
  readonly ruleId: string;
  readonly channel: number;
}

/** What came of an attempt. */
export type DeliveryOutcome =
  | { readonly kind: "done"; readonly atMs: number }
  | { readonly kind: "again"; readonly nextAt: number; readonly error: string }
  | { readonly kind: "dead"; readonly atMs: number; readonly error: string };

/** The messages of the registry that are to be sent. Every method rejects with `registry-unavailable`. */
export class DeliveryRows {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /**
   * Of each channel of a rule the oldest message that is neither sent nor given up, where it is due: one
   * that is over never arrives before the one that it began with.
   */
  due(nowMs: number): Promise<readonly DueDelivery[]> {
    return this.#registry.read((database) =>
      database
        .selectFrom("alert_deliveries as one")
        .select(["one.key", "one.rule_id as ruleId", "one.channel"])
        .where("one.done_at", "is", null)
        .where("one.dead_at", "is", null)
        .where(({ eb, or }) =>
          or([eb("one.next_at", "<=", nowMs), eb("one.next_at", ">", latestAt(nowMs))]),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("alert_deliveries as earlier")
                .select("earlier.key")
                .whereRef("earlier.rule_id", "=", "one.rule_id")
                .whereRef("earlier.channel", "=", "one.channel")
                .where("earlier.done_at", "is", null)
                .where("earlier.dead_at", "is", null)
                .where(({ eb, or, and, ref }) =>
                  or([
                    eb("earlier.created_at", "<", ref("one.created_at")),
                    and([
                      eb("earlier.created_at", "=", ref("one.created_at")),
                      eb("earlier.key", "<", ref("one.key")),
                    ]),
                  ]),
                ),
            ),
          ),
        )
        .orderBy("one.next_at")
        .limit(dueMax)
        .execute(),
    );
  }

  /** Null: another process was faster. Before anything is sent, so that a process that ends then is seen. */
  claim(key: string, nowMs: number): Promise<AlertDelivery | null> {
    return this.#registry.write(async (transaction) => {
      const row = await transaction
        .updateTable("alert_deliveries")
        .set(({ eb }) => ({ attempts: eb("attempts", "+", 1), next_at: nowMs + claimMs }))
        .where("key", "=", key)
        .where("done_at", "is", null)
        .where("dead_at", "is", null)
        .where(({ eb, or }) =>
          or([eb("next_at", "<=", nowMs), eb("next_at", ">", latestAt(nowMs))]),
        )
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : deliveryOf(row);
    });
  }

  /** A message that is given up is a line of its rule's history. */
  async settle(key: string, outcome: DeliveryOutcome): Promise<void> {
    await this.#registry.write(async (transaction) => {
      const row = await transaction
        .updateTable("alert_deliveries")
        .set(columnsOf(outcome))
        .where("key", "=", key)
        .where("done_at", "is", null)
        .where("dead_at", "is", null)
        .returning(["id", "rule_id as ruleId", "channel"])
        .executeTakeFirst();
      if (row === undefined || outcome.kind !== "dead") return;
      const { id, ruleId, channel } = row;
      const reason = `channel ${channel + 1}: ${outcome.error.slice(0, errorUnitsMax)}`;
      const event: AlertEvent = {
        ...{ at: outcome.atMs, state: "undelivered", value: null, firing: id, reason },
      };
      await addEvents(transaction, ruleId, [event]);
    });
  }

  /** Removes what was sent, or given up, before these moments. */
  async purge({
    doneMs,
    deadMs,
  }: {
    readonly doneMs: number;
    readonly deadMs: number;
  }): Promise<void> {
    await this.#registry.write(async (transaction) => {
      await transaction.deleteFrom("alert_deliveries").where("done_at", "<", doneMs).execute();
      await transaction.deleteFrom("alert_deliveries").where("dead_at", "<", deadMs).execute();
    });
  }
}

/** What is due later than any pause lasts was put off by a clock that was ahead. */
const latestAt = (nowMs: number): number => nowMs + pauseMsLongest;

function columnsOf(outcome: DeliveryOutcome) {
  if (outcome.kind === "done") return { done_at: outcome.atMs, error: null };
  const error = outcome.error.slice(0, errorUnitsMax);
  if (outcome.kind === "dead") return { dead_at: outcome.atMs, error };
  return { next_at: outcome.nextAt, error };
}
