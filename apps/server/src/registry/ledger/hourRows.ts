import { checksumOf } from "../database/checksum.js";
import type { RegistryDatabase, RegistryTransaction } from "../database/database.js";
import type { LedgerHourRow } from "../database/tables.js";

export const minutesPerHour = 60;
/** Rows in one statement: databases bound their parameters. */
const rowsAtOnce = 500;

/** Rows of a table on a leaf, by minutes since 1970. Counts may be negative: rows that go. */
export interface LeafRows {
  readonly table: string;
  readonly leaf: string;
  readonly rows: { readonly minutes: readonly number[]; readonly counts: readonly number[] };
}

/** All rows of one hour, as they are now. */
export interface HourRows extends LeafRows {
  readonly hour: number;
  /** Its checksum is wrong: what it had is lost. */
  readonly isDamaged: boolean;
}

/** Adds counts; their hours get this version. */
export async function addCounts(
  transaction: RegistryTransaction,
  version: number,
  added: readonly LeafRows[],
): Promise<void> {
  for (const { table, leaf, rows } of added) {
    const hours = [...byHour(rows)];
    for (let at = 0; at < hours.length; at += rowsAtOnce) {
      const some = hours.slice(at, at + rowsAtOnce);
      const before = await transaction
        .selectFrom("ledger_hour")
        .selectAll()
        .where("table_name", "=", table)
        .where("leaf", "=", leaf)
        .where(
          "hour",
          "in",
          some.map(([hour]) => hour),
        )
        .execute();
      const known = new Map(before.map((row) => [row.hour, row]));
      const changed = some.map(([hour, counts]) =>
        printHour({ table_name: table, leaf, hour, version }, sumOf(known.get(hour), counts)),
      );
      await putHours(transaction, changed);
    }
  }
}

/** No rows of the table on any leaf. */
export async function clearHours(
  transaction: RegistryTransaction,
  version: number,
  table: string,
): Promise<void> {
  const before = await transaction
    .selectFrom("ledger_hour")
    .select(["leaf", "hour"])
    .where("table_name", "=", table)
    .execute();
  const cleared = before.map(({ leaf, hour }) =>
    printHour({ table_name: table, leaf, hour, version }, new Map()),
  );
  for (let at = 0; at < cleared.length; at += rowsAtOnce)
    await putHours(transaction, cleared.slice(at, at + rowsAtOnce));
}

/** The hours that have changed since a version. */
export async function readHours(
  database: RegistryDatabase,
  sinceVersion: number,
): Promise<readonly HourRows[]> {
  const rows = await database
    .selectFrom("ledger_hour")
    .selectAll()
    .where("version", ">", sinceVersion)
    .execute();
  return rows.map((row) => {
    const isDamaged = !isIntact(row);
    const counts = isDamaged ? new Map<number, number>() : parseCounts(row);
    const minutes = [...counts.keys()];
    return {
      ...{ table: row.table_name, leaf: row.leaf, hour: row.hour, isDamaged },
      rows: { minutes, counts: [...counts.values()] },
    };
  });
}

async function putHours(
  transaction: RegistryTransaction,
  rows: readonly LedgerHourRow[],
): Promise<void> {
  await transaction
    .insertInto("ledger_hour")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["table_name", "leaf", "hour"]).doUpdateSet((eb) => ({
        counts: eb.ref("excluded.counts"),
        version: eb.ref("excluded.version"),
        checksum: eb.ref("excluded.checksum"),
      })),
    )
    .execute();
}

/** By hour: the rows of its minutes, since 1970. */
function byHour({ minutes, counts }: LeafRows["rows"]): Map<number, Map<number, number>> {
  const hours = new Map<number, Map<number, number>>();
  for (const [i, minute] of minutes.entries()) {
    const hour = Math.floor(minute / minutesPerHour);
    const own = hours.get(hour) ?? new Map<number, number>();
    own.set(minute, (own.get(minute) ?? 0) + (counts[i] ?? 0));
    hours.set(hour, own);
  }
  return hours;
}

function sumOf(
  before: LedgerHourRow | undefined,
  added: ReadonlyMap<number, number>,
): Map<number, number> {
  // What a damaged row had is counted again when the leaves are compared.
  const sum = before !== undefined && isIntact(before) ? parseCounts(before) : new Map();
  for (const [minute, rows] of added) sum.set(minute, (sum.get(minute) ?? 0) + rows);
  return sum;
}

function printHour(
  row: Omit<LedgerHourRow, "counts" | "checksum">,
  rows: ReadonlyMap<number, number>,
): LedgerHourRow {
  const first = row.hour * minutesPerHour;
  const kept = [...rows].filter(([, count]) => count !== 0).sort(([a], [b]) => a - b);
  const counts = JSON.stringify(kept.flatMap(([minute, count]) => [minute - first, count]));
  return { ...row, counts, checksum: checksumOfHour({ ...row, counts }) };
}

function parseCounts({ hour, counts }: LedgerHourRow): Map<number, number> {
  const parts = JSON.parse(counts) as readonly number[];
  const rows = new Map<number, number>();
  for (let i = 0; i < parts.length; i += 2)
    rows.set(hour * minutesPerHour + parts[i]!, parts[i + 1]!);
  return rows;
}

const isIntact = (row: LedgerHourRow): boolean => row.checksum === checksumOfHour(row);

const checksumOfHour = (row: Omit<LedgerHourRow, "checksum">): string =>
  checksumOf([row.table_name, row.leaf, row.hour, row.counts, row.version]);
