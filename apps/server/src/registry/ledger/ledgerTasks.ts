import type { Registry } from "../registry.js";
import { addCounts, clearHours, type LeafRows, minutesPerHour } from "./hourRows.js";
import { insertDoubt, type SharedDoubt } from "./ledgerDoubts.js";
import { removeGateway } from "./ledgerGateways.js";
import { raiseVersion, raiseVersionAsLeader } from "./ledgerVersion.js";
import type { SharedDrop } from "./readLedger.js";

/** A gateway that has not published for so long has ended, or will find that it counts as ended. */
export const gatewayGoneMs = 10_000;

export async function noteDoubt(registry: Registry, doubt: SharedDoubt): Promise<void> {
  await registry.write(async (transaction) => {
    await raiseVersion(transaction);
    await insertDoubt(transaction, doubt);
  });
}

/** The batches that it waited for are settled. */
export async function releaseDoubts(registry: Registry, gateway: string): Promise<void> {
  await registry.write(async (transaction) => {
    await raiseVersion(transaction);
    await transaction
      .updateTable("ledger_doubt")
      .set({ held_by: null })
      .where("held_by", "=", gateway)
      .execute();
  });
}

/** Adds rows that leaves have and no gateway has counted. */
export async function addUncounted(
  registry: Registry,
  leader: string,
  rows: readonly LeafRows[],
): Promise<void> {
  await registry.write(async (transaction) => {
    const version = await raiseVersionAsLeader(transaction, leader);
    await addCounts(transaction, version, rows);
  });
}

/** Rows of damaged hours are lost: they are counted again when the leaves are compared. */
export async function replaceHours(
  registry: Registry,
  leader: string,
  hours: readonly { readonly table: string; readonly leaf: string; readonly hour: number }[],
  doubt: SharedDoubt,
): Promise<void> {
  await registry.write(async (transaction) => {
    const version = await raiseVersionAsLeader(transaction, leader);
    await insertDoubt(transaction, doubt);
    await addCounts(
      transaction,
      version,
      hours.map(({ table, leaf, hour }) => ({
        ...{ table, leaf },
        rows: { minutes: [hour * minutesPerHour], counts: [0] },
      })),
    );
  });
}

/** All leaves were compared since. */
export async function removeDoubts(
  registry: Registry,
  leader: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await registry.write(async (transaction) => {
    await raiseVersionAsLeader(transaction, leader);
    await transaction
      .deleteFrom("ledger_doubt")
      .where("id", "in", ids)
      .where("held_by", "is", null)
      .execute();
  });
}

/** These doubts are about rows before a time. */
export async function boundDoubts(
  registry: Registry,
  leader: string,
  ids: readonly string[],
  toMs: number,
): Promise<void> {
  await registry.write(async (transaction) => {
    await raiseVersionAsLeader(transaction, leader);
    await transaction
      .updateTable("ledger_doubt")
      .set({ to_ms: Math.round(toMs) })
      .where("id", "in", ids)
      .execute();
  });
}

/**
 * Takes the place of a gateway that has ended: what it would still add is refused. Returns whether
 * it has ended.
 */
export function takePlaceOf(
  registry: Registry,
  leader: string,
  gateway: string,
  doubt: SharedDoubt,
): Promise<boolean> {
  return registry.write(async (transaction) => {
    const version = await raiseVersionAsLeader(transaction, leader);
    const gone = await transaction
      .selectFrom("ledger_gateway")
      .select("id")
      .where("id", "=", gateway)
      .where(({ eb }) => eb("published_ms", "<", eb(registry.nowMs, "-", gatewayGoneMs)))
      .executeTakeFirst();
    if (gone === undefined) return false;
    await removeGateway(transaction, version, gateway);
    await insertDoubt(transaction, doubt);
    return true;
  });
}

/** Books rows out that a leaf is to remove. Returns the ledger's version with that. */
export function bookOut(
  registry: Registry,
  leader: string,
  rows: LeafRows,
  drop: SharedDrop,
): Promise<number> {
  return registry.write(async (transaction) => {
    const version = await raiseVersionAsLeader(transaction, leader);
    const counts = rows.rows.counts.map((count) => -count);
    await addCounts(transaction, version, [{ ...rows, rows: { ...rows.rows, counts } }]);
    const { table, leaf, body } = drop;
    await transaction.insertInto("ledger_drop").values({ table_name: table, leaf, body }).execute();
    return version;
  });
}

/** The leaf has removed the rows. */
export async function endDrop(
  registry: Registry,
  { table, leaf, body }: SharedDrop,
): Promise<void> {
  await registry.write(async (transaction) => {
    await raiseVersion(transaction);
    await transaction
      .deleteFrom("ledger_drop")
      .where("table_name", "=", table)
      .where("leaf", "=", leaf)
      .where("body", "=", body)
      .execute();
  });
}

/** Removes a table from the counts; its leaves must still drop it. Returns the version with that. */
export function deleteCounts(
  registry: Registry,
  table: string,
  drops: readonly SharedDrop[],
): Promise<number> {
  return registry.write(async (transaction) => {
    const version = await raiseVersion(transaction);
    await clearHours(transaction, version, table);
    await transaction.deleteFrom("ledger_doubt").where("table_name", "=", table).execute();
    await transaction.deleteFrom("ledger_drop").where("table_name", "=", table).execute();
    if (drops.length > 0)
      await transaction
        .insertInto("ledger_drop")
        .values(drops.map(({ leaf, body }) => ({ table_name: table, leaf, body })))
        .execute();
    await transaction
      .insertInto("ledger_deletion")
      .values({ table_name: table, version })
      .onConflict((conflict) => conflict.column("table_name").doUpdateSet({ version }))
      .execute();
    return version;
  });
}

/** What the comparison with the leaves has found, for the others to show. */
export async function writeReport(
  registry: Registry,
  leader: string,
  report: string,
): Promise<void> {
  await registry.write((transaction) =>
    transaction
      .updateTable("ledger_state")
      .set({ report })
      .where("lease_holder", "=", leader)
      .execute(),
  );
}
