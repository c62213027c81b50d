import type { RegistryTransaction } from "../database/database.js";
import type { LedgerDoubtRow } from "../database/tables.js";

/** Why the shared counts may lack rows. */
export interface SharedDoubt {
  readonly id: string;
  /** Null: of any table, until the leaves are compared. Of a table: as long as it exists. */
  readonly table: string | null;
  readonly reason: string;
  readonly sinceMs: number;
  /** Their event time; null: any. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** The gateway whose batches are to be settled first; null: leaves can be compared. */
  readonly heldBy: string | null;
}

export async function insertDoubt(
  transaction: RegistryTransaction,
  { id, table, reason, sinceMs, fromMs, toMs, heldBy }: SharedDoubt,
): Promise<void> {
  const row: LedgerDoubtRow = {
    ...{ id, table_name: table, reason, since_ms: Math.round(sinceMs), held_by: heldBy },
    ...{ from_ms: rounded(fromMs), to_ms: rounded(toMs) },
  };
  await transaction.insertInto("ledger_doubt").values(row).execute();
}

export const toDoubt = (row: LedgerDoubtRow): SharedDoubt => ({
  ...{ id: row.id, table: row.table_name, reason: row.reason, sinceMs: row.since_ms },
  ...{ fromMs: row.from_ms, toMs: row.to_ms, heldBy: row.held_by },
});

const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms));
