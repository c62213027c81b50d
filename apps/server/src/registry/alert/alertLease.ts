import { HadalError } from "@hadal/sdk";
import type { RegistryDatabase, RegistryTransaction } from "../database/database.js";
import type { Registry } from "../registry.js";

/** A lease ends so long after it was last renewed: with a round a second rules are evaluated again within 10 s. */
export const alertLeaseMs = 8_000;

/** A transaction that waited for another one has an earlier time. */
const slackMs = 2_000;

/** Takes or renews the lease where that is possible; `holder`: one run of a gateway. Returns whether it has it. */
export function takeAlertLease(registry: Registry, holder: string): Promise<boolean> {
  return registry.write(async (transaction) => {
    await addLease(transaction);
    const { numUpdatedRows } = await transaction
      .updateTable("alert_lease")
      .set((eb) => ({ holder, until_ms: eb(registry.nowMs, "+", alertLeaseMs) }))
      .where((eb) =>
        eb.or([
          eb("holder", "=", holder),
          eb("until_ms", "<", registry.nowMs),
          // The database's clock was put back since: whoever has it may be gone for long.
          eb(eb("until_ms", "-", alertLeaseMs + slackMs), ">", registry.nowMs),
        ]),
      )
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}

/** Whether a gateway evaluates the rules now. */
export async function isAlertLeaseHeld({ nowMs }: Registry, database: RegistryDatabase) {
  const row = await database
    .selectFrom("alert_lease")
    .select("holder")
    .where("holder", "is not", null)
    .where("until_ms", ">=", nowMs)
    .executeTakeFirst();
  return row !== undefined;
}

/** The next gateway need not wait for its end. */
export async function endAlertLease(registry: Registry, holder: string): Promise<void> {
  await registry.write((transaction) =>
    transaction
      .updateTable("alert_lease")
      .set({ holder: null, until_ms: 0 })
      .where("holder", "=", holder)
      .execute(),
  );
}

/**
 * Transactions that change states of rules wait for one another. With a `holder` it rejects with
 * `unavailable` where another gateway has taken over.
 */
export async function lockAlerts(
  transaction: RegistryTransaction,
  holder: string | null,
): Promise<void> {
  if (holder === null) await addLease(transaction);
  let update = transaction
    .updateTable("alert_lease")
    .set((eb) => ({ version: eb("version", "+", 1) }));
  if (holder !== null) update = update.where("holder", "=", holder);
  const { numUpdatedRows } = await update.executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  throw new HadalError("unavailable", { detail: "Another gateway evaluates the rules now." });
}

async function addLease(transaction: RegistryTransaction): Promise<void> {
  await transaction
    .insertInto("alert_lease")
    .values({ id: 1, holder: null, until_ms: 0, version: 0 })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}
