import { checksumOf, DamagedRow } from "../database/checksum.js";
import type { RegistryDatabase, RegistryTransaction } from "../database/database.js";
import type { DocumentRow, DocumentVersionRow } from "../database/tables.js";

/** Who saves, and when. */
interface Save {
  readonly title: string;
  /** JSON. */
  readonly body: string;
  /** Name of the user; null where no one signs in. */
  readonly by: string | null;
  readonly nowMs: number;
}

export interface NewDocument extends Save {
  readonly id: string;
  readonly kind: string;
  /** Default 1; more where an earlier version of Hadal counted before. */
  readonly version?: number;
}

/** The row, deleted or not; null where there was never one. Rejects with {@link DamagedRow}. */
export async function findRow(
  database: RegistryDatabase | RegistryTransaction,
  id: string,
): Promise<DocumentRow | null> {
  const row = await database
    .selectFrom("document")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : intact(row);
}

/** All rows of a kind that are not deleted; damaged ones are given to `onDamaged` instead. */
export async function listRows(
  database: RegistryDatabase,
  kind: string,
  onDamaged: (damage: DamagedRow) => void,
): Promise<DocumentRow[]> {
  const rows = await database.selectFrom("document").selectAll().where("kind", "=", kind).execute();
  return rows.filter((row) => {
    try {
      return intact(row).deleted_ms === null;
    } catch (error) {
      onDamaged(error as DamagedRow);
      return false;
    }
  });
}

/** What lists show of a document. A row is verified when it is read whole. */
export type SummaryRow = Pick<
  DocumentRow,
  "id" | "kind" | "title" | "version" | "created_ms" | "created_by" | "changed_ms" | "changed_by"
>;

/** Documents of some kinds, the last changed first. */
export function listSummaries(
  database: RegistryDatabase,
  kinds: readonly string[],
): Promise<readonly (SummaryRow & Pick<DocumentRow, "body">)[]> {
  return database
    .selectFrom("document")
    .select(["id", "kind", "title", "body", "version", "created_ms", "created_by"])
    .select(["changed_ms", "changed_by"])
    .where("kind", "in", kinds)
    .where("deleted_ms", "is", null)
    .orderBy("changed_ms", "desc")
    .orderBy("id")
    .execute();
}

/** How many documents of some kinds there are. */
export async function countRows(
  transaction: RegistryTransaction,
  kinds: readonly string[],
): Promise<number> {
  const { count } = await transaction
    .selectFrom("document")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("kind", "in", kinds)
    .where("deleted_ms", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A new document and its first version. */
export async function insertDocument(
  transaction: RegistryTransaction,
  { id, kind, title, body, by, nowMs, version = 1 }: NewDocument,
): Promise<DocumentRow> {
  const row = withChecksum({
    ...{ id, kind, title, body, version, deleted_ms: null },
    ...{ created_ms: nowMs, created_by: by, changed_ms: nowMs, changed_by: by },
  });
  await transaction.insertInto("document").values(row).execute();
  await insertVersion(transaction, row);
  return row;
}

/** The next version of a document, deleted or not. Resolves with null, and nothing changed, where another save was faster. */
export async function replaceDocument(
  transaction: RegistryTransaction,
  before: DocumentRow,
  { title, body, by, nowMs }: Save,
): Promise<DocumentRow | null> {
  const row = withChecksum({
    ...before,
    ...{ title, body, version: before.version + 1, deleted_ms: null },
    ...{ changed_ms: nowMs, changed_by: by },
  });
  if (!(await putRow(transaction, before, row))) return null;
  await insertVersion(transaction, row);
  return row;
}

/** Its versions stay, and its numbers are not used again. Resolves with false where another save was faster. */
export function deleteDocument(
  transaction: RegistryTransaction,
  before: DocumentRow,
  { by, nowMs }: Pick<Save, "by" | "nowMs">,
): Promise<boolean> {
  const row = withChecksum({ ...before, deleted_ms: nowMs, changed_by: by });
  return putRow(transaction, before, row);
}

/** The newest first. */
export function listVersions(
  database: RegistryDatabase,
  id: string,
): Promise<readonly Omit<DocumentVersionRow, "id" | "checksum">[]> {
  return database
    .selectFrom("document_version")
    .select(["version", "title", "body", "saved_ms", "saved_by"])
    .where("id", "=", id)
    .orderBy("version", "desc")
    .execute();
}

/** Null where there is none. Rejects with {@link DamagedRow}. */
export async function findVersion(
  database: RegistryDatabase,
  id: string,
  version: number,
): Promise<DocumentVersionRow | null> {
  const row = await database
    .selectFrom("document_version")
    .selectAll()
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.checksum === versionChecksum(row)) return row;
  throw new DamagedRow(id, `version ${version} of document ${id}`);
}

async function putRow(
  transaction: RegistryTransaction,
  { id, version }: DocumentRow,
  row: DocumentRow,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("document")
    .set(row)
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function insertVersion(
  transaction: RegistryTransaction,
  { id, version, title, body, changed_ms, changed_by }: DocumentRow,
): Promise<void> {
  const row = { id, version, title, body, saved_ms: changed_ms, saved_by: changed_by };
  await transaction
    .insertInto("document_version")
    .values({ ...row, checksum: versionChecksum(row) })
    .execute();
}

function intact(row: DocumentRow): DocumentRow {
  if (row.checksum === rowChecksum(row)) return row;
  throw new DamagedRow(row.id, `the ${row.kind} ${row.id}`);
}

const withChecksum = (row: Omit<DocumentRow, "checksum">): DocumentRow => ({
  ...row,
  checksum: rowChecksum(row),
});

const rowChecksum = (row: Omit<DocumentRow, "checksum">): string =>
  checksumOf([
    ...[row.id, row.kind, row.title, row.body, row.version, row.deleted_ms],
    ...[row.created_ms, row.created_by, row.changed_ms, row.changed_by],
  ]);

const versionChecksum = (row: Omit<DocumentVersionRow, "checksum">): string =>
  checksumOf([row.id, row.version, row.title, row.body, row.saved_ms, row.saved_by]);
