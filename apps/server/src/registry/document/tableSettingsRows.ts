import type { TableSettings } from "@hadal/sdk";
import { checksumOf } from "../database/checksum.js";
import type { RegistryDatabase, RegistryTransaction } from "../database/database.js";
import type { TableSettingsRow } from "../database/tables.js";

export interface KnownSettings {
  readonly settings: readonly (readonly [table: string, set: Partial<TableSettings>])[];
  /** Tables whose settings cannot be read. */
  readonly damaged: readonly string[];
}

export async function readSettings(
  database: RegistryDatabase,
  warn: (text: string) => void,
): Promise<KnownSettings> {
  const rows = await database.selectFrom("table_settings").selectAll().execute();
  const isIntact = ({ name, body, checksum }: TableSettingsRow): boolean =>
    checksum === checksumOf([name, body]);
  const damaged = rows.filter((row) => !isIntact(row)).map(({ name }) => name);
  for (const name of damaged)
    warn(`the settings of table ${name} are damaged: its rows are kept, and none is added`);
  const settings = rows
    .filter(isIntact)
    .map(({ name, body }) => [name, JSON.parse(body) as Partial<TableSettings>] as const);
  return { settings, damaged };
}

export async function putSettings(
  transaction: RegistryTransaction,
  name: string,
  settings: TableSettings,
): Promise<void> {
  const row = rowOf(name, settings);
  await transaction
    .insertInto("table_settings")
    .values(row)
    .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
    .execute();
}

/** Where there are none yet. */
export async function addSettings(
  transaction: RegistryTransaction,
  name: string,
  settings: Partial<TableSettings>,
): Promise<void> {
  await transaction
    .insertInto("table_settings")
    .values(rowOf(name, settings))
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
}

export async function removeSettings(
  transaction: RegistryTransaction,
  name: string,
): Promise<void> {
  await transaction.deleteFrom("table_settings").where("name", "=", name).execute();
}

function rowOf(name: string, settings: Partial<TableSettings>) {
  const body = JSON.stringify(settings);
  return { name, body, checksum: checksumOf([name, body]) };
}
