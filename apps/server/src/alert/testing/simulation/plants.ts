import { HadalError } from "@hadal/sdk";
import type { Registry } from "../../../registry/registry.js";
import { DeliveryRows } from "../../deliver/deliveryRows.js";
import { type AlertDelivery, deliveryOf } from "../../delivery.js";
import { leaseIn } from "./simulatedRegistry.js";

/** Faults of the program that a test puts in, to see them found. */
export const plants = ["no lease check", "sent before it is written", "no claim"] as const;
export type Plant = (typeof plants)[number];

type Write = Registry["write"];

/** States are written also by a gateway that another one has taken over from. */
export function withoutLeaseCheck(write: Write, holder: string): Write {
  return (work) =>
    write(async (transaction) => {
      try {
        return await work(transaction);
      } catch (error) {
        if (!(error instanceof HadalError) || error.code !== "unavailable") throw error;
      }
      const before = await leaseIn(transaction);
      const hold = (name: string | null) =>
        transaction.updateTable("alert_lease").set({ holder: name }).execute();
      await hold(holder);
      const value = await work(transaction);
      await hold(before?.holder ?? null);
      return value;
    });
}

/** What a gateway has for a planted fault. */
export interface SendingFirst {
  readonly send: (message: AlertDelivery) => Promise<void>;
  /** The ids of firings that were given since the last call; from here on these are given first. */
  readonly takeIds: (next: readonly string[]) => readonly string[];
}

/** Messages leave before the state that they come of is written; then they are marked as sent. */
export function sentFirst(write: Write, { send, takeIds }: SendingFirst): Write {
  return async (work) => {
    const undo = new HadalError("bad-request", { detail: "undone" });
    let messages: readonly AlertDelivery[] = [];
    let ids: readonly string[] = [];
    await write(async (transaction) => {
      const list = () => transaction.selectFrom("alert_deliveries").selectAll().execute();
      const known = new Set((await list()).map(({ key }) => key));
      takeIds([]);
      await work(transaction);
      ids = takeIds([]);
      messages = (await list()).filter(({ key }) => !known.has(key)).map(deliveryOf);
      throw undo;
    }).catch((error: unknown) => {
      if (error !== undo) throw error;
    });
    for (const message of messages) await send(message).catch(() => undefined);
    const keys = messages.map(({ key }) => key);
    return write(async (transaction) => {
      takeIds(ids);
      const value = await work(transaction);
      const rows = transaction.updateTable("alert_deliveries").where("key", "in", keys);
      if (keys.length > 0) await rows.set({ done_at: 1 }).execute();
      return value;
    });
  };
}

/** A message is sent without a mark that it is being sent. */
export class UnclaimedRows extends DeliveryRows {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    super(registry);
    this.#registry = registry;
  }

  override async claim(key: string, nowMs: number): Promise<AlertDelivery | null> {
    const row = await this.#registry.read((database) =>
      database
        .selectFrom("alert_deliveries")
        .selectAll()
        .where("key", "=", key)
        .where("done_at", "is", null)
        .where("next_at", "<=", nowMs)
        .executeTakeFirst(),
    );
    return row === undefined ? null : deliveryOf(row);
  }
}
