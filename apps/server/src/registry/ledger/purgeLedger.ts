import type { Registry } from "../registry.js";

/** Twice as long as a key may come again. */
const keysKeptMs = 1_200_000;

/** Removes what every gateway has read: hours without rows, old deletions, and keys that are too old. */
export async function purgeLedger(registry: Registry): Promise<void> {
  await registry.write(async (transaction) => {
    const { seen } = await transaction
      .selectFrom("ledger_gateway")
      .select((eb) => eb.fn.min("seen_version").as("seen"))
      .executeTakeFirstOrThrow();
    if (seen === null) return;
    await transaction
      .deleteFrom("ledger_hour")
      .where("counts", "=", "[]")
      .where("version", "<=", Number(seen))
      .execute();
    await transaction.deleteFrom("ledger_deletion").where("version", "<=", Number(seen)).execute();
    await transaction
      .deleteFrom("ledger_key")
      .where(({ eb }) => eb("at_ms", "<", eb(registry.nowMs, "-", keysKeptMs)))
      .execute();
  });
}
