import { randomBytes } from "node:crypto";
import type { AuditAction, AuditEntry } from "@hadal/sdk";
import { checksumOf } from "../database/checksum.js";
import type { RegistryDatabase, RegistryTransaction } from "../database/database.js";
import type { AuditRow } from "../database/tables.js";

/** Longer targets are cut: one name that was tried must not fill the log. */
const targetMax = 200;

/** Adds an entry within the transaction of the change that it describes. */
export async function insertAuditEntry(
  transaction: RegistryTransaction,
  { time, who, action, target, address }: AuditEntry,
): Promise<void> {
  const row = {
    ...{ id: nextId(time), time_ms: time, who, action, address },
    target: printable(target).slice(0, targetMax),
  };
  await transaction
    .insertInto("audit_entry")
    .values({ ...row, checksum: rowChecksum(row) })
    .execute();
}

export interface AuditPage {
  /** Milliseconds since 1970; `toMs` itself is not part of it. */
  readonly fromMs: number;
  readonly toMs: number;
  /** A name as entries have it; null: everyone. */
  readonly who: string | null;
  /** Entries before this one only; null: from the newest. */
  readonly beforeId: string | null;
  readonly count: number;
}

export interface AuditEntries {
  readonly entries: readonly AuditEntry[];
  /** Of the last of them, where there may be more; else null. */
  readonly nextId: string | null;
}

/** The newest first. */
export async function listAuditEntries(
  database: RegistryDatabase,
  { fromMs, toMs, who, beforeId, count }: AuditPage,
  warn: (text: string) => void,
): Promise<AuditEntries> {
  let query = database
    .selectFrom("audit_entry")
    .selectAll()
    .where("time_ms", ">=", fromMs)
    .where("time_ms", "<", toMs)
    .orderBy("id", "desc")
    .limit(count);
  if (who !== null) query = query.where("who", "=", who);
  if (beforeId !== null) query = query.where("id", "<", beforeId);
  const rows = await query.execute();
  const intact = rows.filter((row) => row.checksum === rowChecksum(row));
  if (intact.length < rows.length)
    warn(`${rows.length - intact.length} entries of the audit log are damaged and left out`);
  return {
    entries: intact.map(entryOf),
    nextId: rows.length < count ? null : (rows.at(-1)?.id ?? null),
  };
}

export async function removeAuditEntries(
  transaction: RegistryTransaction,
  beforeMs: number,
): Promise<void> {
  await transaction.deleteFrom("audit_entry").where("time_ms", "<", beforeMs).execute();
}

let lastTime = 0;
let sameTimeCount = 0;

/** Hexadecimal, so that all databases sort it alike: time 12, count 6, chance 8. */
function nextId(time: number): string {
  sameTimeCount = time === lastTime ? sameTimeCount + 1 : 0;
  lastTime = time;
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");
  return `${hex(time, 12)}${hex(sameTimeCount, 6)}${randomBytes(4).toString("hex")}`;
}

const entryOf = ({ time_ms, who, action, target, address }: AuditRow): AuditEntry => ({
  ...{ time: time_ms, who, action: action as AuditAction, target, address },
});

/** Without control characters, which PostgreSQL and terminals do not take. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Surrogate}]/gu, "\ufffd");

const rowChecksum = (row: Omit<AuditRow, "checksum">): string =>
  checksumOf([row.id, row.time_ms, row.who, row.action, row.target, row.address]);
