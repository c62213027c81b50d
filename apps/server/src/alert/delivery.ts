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
  /** Which one it was meant for: by now another one may have its place. Null: an earlier version wrote the row. */
  readonly to: string | null;
  readonly state: AlertMessageState;
  readonly message: AlertMessage;
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly nextAt: number;
  readonly doneAt: number | null;
  readonly deadAt: number | null;
  readonly error: string | null;
}

export function deliveryOf(row: AlertDeliveryRow): AlertDelivery {
  const { to = null, ...message } = JSON.parse(row.message) as AlertMessage & { to?: string };
  return {
    ...{ key: row.key, id: row.id, ruleId: row.rule_id, channel: row.channel, to, message },
    state: row.state as AlertMessageState,
    ...{ attempts: row.attempts, nextAt: row.next_at, doneAt: row.done_at },
    ...{ deadAt: row.dead_at, error: row.error },
  };
}

/** What is to be said to one channel. */
export interface NewDelivery
  extends Pick<AlertDelivery, "key" | "id" | "ruleId" | "channel" | "message"> {
  readonly to?: string;
}

/** A row that is due at once. */
export function newDeliveryRow(
  { key, id, ruleId, channel, message, to }: NewDelivery,
  nowMs: number,
): AlertDeliveryRow {
  return {
    ...{ key, id, rule_id: ruleId, channel, state: message.state },
    ...{
      message: JSON.stringify({ ...message, to }),
      created_at: nowMs,
      attempts: 0,
      next_at: nowMs,
    },
    ...{ done_at: null, dead_at: null, error: null },
  };
}
