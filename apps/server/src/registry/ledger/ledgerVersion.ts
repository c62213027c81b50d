import { HadalError } from "@hadal/sdk";
import type { RegistryTransaction } from "../database/database.js";
import type { Registry } from "../registry.js";

/** A lease ends so long after it was last renewed. */
export const leaseMs = 10_000;

/**
 * Raises the version of the ledger. Transactions that do wait for one another, so that versions
 * appear in their order.
 */
export async function raiseVersion(transaction: RegistryTransaction): Promise<number> {
  const { version } = await transaction
    .updateTable("ledger_state")
    .set((eb) => ({ version: eb("version", "+", 1) }))
    .returning("version")
    .executeTakeFirstOrThrow();
  return version;
}

/** The same for work of the one that has the lease. Rejects with `unavailable`. */
export async function raiseVersionAsLeader(
  transaction: RegistryTransaction,
  leader: string,
): Promise<number> {
  const raised = await transaction
    .updateTable("ledger_state")
    .set((eb) => ({ version: eb("version", "+", 1) }))
    .where("lease_holder", "=", leader)
    .returning("version")
    .executeTakeFirst();
  if (raised === undefined) {
    const detail = "Another gateway has taken over what only one does.";
    throw new HadalError("unavailable", { detail });
  }
  return raised.version;
}

/** Takes or renews the lease where that is possible. */
export async function takeLease(
  transaction: RegistryTransaction,
  nowMs: Registry["nowMs"],
  gateway: string,
): Promise<void> {
  await transaction
    .updateTable("ledger_state")
    .set((eb) => ({ lease_holder: gateway, lease_until_ms: eb(nowMs, "+", leaseMs) }))
    .where((eb) => eb.or([eb("lease_holder", "=", gateway), eb("lease_until_ms", "<", nowMs)]))
    .execute();
}

/** The next gateway need not wait for its end. */
export async function endLease(transaction: RegistryTransaction, gateway: string): Promise<void> {
  await transaction
    .updateTable("ledger_state")
    .set({ lease_holder: null, lease_until_ms: 0 })
    .where("lease_holder", "=", gateway)
    .execute();
}
