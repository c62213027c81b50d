import type { AlertMessage, AlertMessageState } from "@hadal/sdk";
import type { AlertDeliveryRow } from "../registry/database/tables.js";

/** One message that one channel of a rule is to get. */
export interface AlertDelivery {
  /** Of this message to this channel: a second row of it is refused by the registry. */
  readonly key: string;
  /** Of the firing: the same in all attempts, on all channels, in repetitions and when it is over. */
  readonly id: string;
  readonly ruleId: string;
  /** The place in the rule's list of channels. */
  readonly channel: number;
  readonly state: AlertMessageState;
  readonly message: AlertMessage;
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly nextAt: number;
  readonly doneAt: number | null;
  readonly deadAt: number | null;
  readonly error: string | null;
}

export const deliveryOf = (row: AlertDeliveryRow): AlertDelivery => ({
  ...{ key: row.key, id: row.id, ruleId: row.rule_id, channel: row.channel },
  state: row.state as AlertMessageState,
  message: JSON.parse(row.message) as AlertMessage,
  ...{ attempts: row.attempts, nextAt: row.next_at, doneAt: row.done_at },
  ...{ deadAt: row.dead_at, error: row.error },
});

/** What is to be said to one channel. */
export type NewDelivery = Pick<AlertDelivery, "key" | "id" | "ruleId" | "channel" | "message">;

/** A row that is due at once. */
export function newDeliveryRow(
  { key, id, ruleId, channel, message }: NewDelivery,
  nowMs: number,
): AlertDeliveryRow {
  return {
    ...{ key, id, rule_id: ruleId, channel, state: message.state },
    ...{ message: JSON.stringify(message), created_at: nowMs, attempts: 0, next_at: nowMs },
    ...{ done_at: null, dead_at: null, error: null },
  };
}
