import { checksumOf, DamagedRow } from "../database/checksum.js";
import type { RegistryDatabase, RegistryTransaction } from "../database/database.js";
import type { SourcePositionRow } from "../database/tables.js";
import type { Registry } from "../registry.js";

export interface SourcePlace {
  readonly source: string;
  readonly topic: string;
  readonly partition: number;
}

/** How far a partition was read. */
export interface SourcePosition {
  /** All messages below it are stored, or were refused. */
  readonly nextOffset: number;
  /** JSON: the batch that may be on its way. */
  readonly pending: string | null;
}

/** Who reads a partition from now on. */
export interface PositionHolder {
  /** Of this time of reading alone. */
  readonly token: string;
  readonly gateway: string;
  readonly topicId: string;
}

export interface NotedPosition extends SourcePosition {
  readonly endOffset: number | null;
  readonly nowMs: number;
}

/** The row of a partition; undefined: it was never read. Throws {@link DamagedRow}. */
async function findPosition(
  database: RegistryDatabase,
  { source, topic, partition }: SourcePlace,
): Promise<SourcePositionRow | undefined> {
  const row = await database
    .selectFrom("source_position")
    .selectAll()
    .where("source", "=", source)
    .where("topic", "=", topic)
    .where("partition", "=", partition)
    .executeTakeFirst();
  if (row !== undefined && row.checksum !== checksumOfRow(row))
    throw new DamagedRow(source, `the position of ${source} in ${topic}/${partition}`);
  return row;
}

/**
 * Takes a partition over: from here on whoever read it before notes nothing more. `start`: where a
 * partition begins that was never read, or that is of a new topic with an old name.
 */
export function claimPosition(
  registry: Registry,
  place: SourcePlace,
  holder: PositionHolder,
  { start, nowMs }: { readonly start: number; readonly nowMs: number },
): Promise<SourcePosition> {
  const { token, gateway, topicId } = holder;
  const first: NotedPosition = { nextOffset: start, pending: null, endOffset: null, nowMs };
  const created = { ...rowOf(place, topicId, first), holder: token, gateway };
  return registry.write(async (transaction) => {
    // Before it is read: what the last holder notes until then is seen, and nothing comes after.
    const take = () => update(transaction, place, { holder: token, gateway }).executeTakeFirst();
    if ((await take()).numUpdatedRows === 0n) {
      await transaction
        .insertInto("source_position")
        .values(created)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await take();
    }
    const row = await findPosition(transaction, place);
    if (row?.topic_id === topicId) return { nextOffset: row.next_offset, pending: row.pending };
    await update(transaction, place, created).execute();
    return first;
  });
}

/** Whether it was noted; it is not where another gateway has taken the partition over. */
export async function notePosition(
  registry: Registry,
  place: SourcePlace,
  { token, topicId }: Pick<PositionHolder, "token" | "topicId">,
  noted: NotedPosition,
): Promise<boolean> {
  const { numUpdatedRows } = await registry.write((transaction) =>
    update(transaction, place, rowOf(place, topicId, noted))
      .where("holder", "=", token)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

/** Notes what only others read: where the partition ends now. */
export async function noteEnd(
  registry: Registry,
  place: SourcePlace,
  { token }: Pick<PositionHolder, "token">,
  { endOffset, nowMs }: Pick<NotedPosition, "endOffset" | "nowMs">,
): Promise<void> {
  await registry.write((transaction) =>
    update(transaction, place, { end_offset: endOffset, noted_ms: nowMs })
      .where("holder", "=", token)
      .execute(),
  );
}

/** Of all sources. */
export const listPositions = (database: RegistryDatabase): Promise<readonly SourcePositionRow[]> =>
  database
    .selectFrom("source_position")
    .selectAll()
    .orderBy("topic")
    .orderBy("partition")
    .execute();

const update = (
  transaction: RegistryTransaction,
  { source, topic, partition }: SourcePlace,
  values: Partial<SourcePositionRow>,
) =>
  transaction
    .updateTable("source_position")
    .set(values)
    .where("source", "=", source)
    .where("topic", "=", topic)
    .where("partition", "=", partition);

function rowOf(
  { source, topic, partition }: SourcePlace,
  topicId: string,
  { nextOffset, pending, endOffset, nowMs }: NotedPosition,
) {
  const row = {
    ...{ source, topic, partition, topic_id: topicId },
    ...{ next_offset: nextOffset, pending, end_offset: endOffset, noted_ms: nowMs },
  };
  return { ...row, checksum: checksumOfRow(row) };
}

function checksumOfRow({
  source,
  topic,
  partition,
  topic_id,
  next_offset,
  pending,
}: Omit<SourcePositionRow, "holder" | "gateway" | "checksum">): string {
  return checksumOf([source, topic, partition, topic_id, next_offset, pending]);
}
