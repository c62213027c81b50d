import { randomUUID } from "node:crypto";
import type { RegistryTransaction } from "../database/database.js";
import type { Registry } from "../registry.js";
import { addCounts, type LeafRows } from "./hourRows.js";
import { insertDoubt, type SharedDoubt } from "./ledgerDoubts.js";
import { addKeys, type StoredKeys } from "./ledgerKeys.js";
import { endLease, raiseVersion, takeLease } from "./ledgerVersion.js";

export interface SharingGateway {
  /** Of its data folder. */
  readonly id: string;
  readonly name: string;
}

/** What the others need to know of a gateway beside its counts. */
export interface GatewayBody {
  /** All batches begun before that are counted, or listed below; 0: not even that is known. */
  readonly settledMs: number;
  /** Leaves that it sends rows to. */
  readonly placesOn: readonly string[];
  readonly open: readonly OpenBatch[];
  /** There are more than are listed; absent: there are not. */
  readonly isCut?: boolean;
}

/** A batch whose leaf has not said whether it has it. */
export interface OpenBatch {
  readonly table: string;
  readonly batchId: string;
  /** That may store it. */
  readonly leaves: readonly string[];
  /** Where its rows are in the counts, as one of them keeps a hint; null: they are not. */
  readonly countedOn: string | null;
  readonly rows: LeafRows["rows"];
}

export interface Publication {
  /** How often this gateway has added counts, with these. */
  readonly position: number;
  readonly rows: readonly LeafRows[];
  /** Rows of tables that were deleted since this version are left out. */
  readonly seenVersion: number;
  /** Null: not known, as the counts are of an earlier run. */
  readonly state: {
    readonly publishedMs: number;
    readonly lateMs: number;
    readonly body: GatewayBody;
  } | null;
  /** Null: there are no new ones. */
  readonly keys: StoredKeys | null;
}

const emptyBody: GatewayBody = { settledMs: 0, placesOn: [], open: [] };

export interface AnnouncedGateway {
  readonly epoch: number;
  readonly position: number;
  readonly seenVersion: number;
}

/**
 * Announces a gateway. Returns how often it has added counts, and what it had read of the others';
 * null: it was announced before and is no longer, as others count in its place. `firstDoubt`: noted
 * where there is no gateway and no count.
 */
export function joinLedger(
  registry: Registry,
  gateway: SharingGateway,
  {
    wasJoined,
    firstDoubt,
  }: { readonly wasJoined: boolean; readonly firstDoubt: SharedDoubt | null },
): Promise<AnnouncedGateway | null> {
  return registry.write(async (transaction) => {
    await transaction
      .insertInto("ledger_state")
      .values({ id: 1, version: 0, lease_holder: null, lease_until_ms: 0, report: null })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
    const version = await raiseVersion(transaction);
    const known = await transaction
      .selectFrom("ledger_gateway")
      .select(["epoch", "position", "seen_version as seenVersion"])
      .where("id", "=", gateway.id)
      .executeTakeFirst();
    if (known !== undefined) return known;
    if (wasJoined) return null;
    await announce(transaction, registry.nowMs, { ...gateway, version });
    if (version === 1 && firstDoubt !== null) await insertDoubt(transaction, firstDoubt);
    return { epoch: version, position: 0, seenVersion: version };
  });
}

/**
 * Announces a gateway again whose place another has taken, with what may be uncounted of it. Returns
 * the version of the ledger with that, which is its epoch.
 */
export async function rejoinLedger(
  registry: Registry,
  gateway: SharingGateway,
  doubt: SharedDoubt,
): Promise<number> {
  return registry.write(async (transaction) => {
    const version = await raiseVersion(transaction);
    await removeGateway(transaction, version, gateway.id);
    await announce(transaction, registry.nowMs, { ...gateway, version });
    await insertDoubt(transaction, doubt);
    return version;
  });
}

/** Adds counts of a gateway, once. False: others count in its place. */
export function publishCounts(
  registry: Registry,
  gateway: SharingGateway,
  { position, rows, seenVersion, state, keys }: Publication,
): Promise<boolean> {
  return registry.write(async (transaction) => {
    // The lock of the ledger comes first: another gateway may be taking this one's place.
    if (rows.length > 0 || keys !== null) {
      const version = await raiseVersion(transaction);
      // Keys may be added again; counts must not.
      if (keys !== null) await addKeys(transaction, { nowMs: registry.nowMs, version }, keys);
      if (rows.length > 0 && (await positionOf(transaction, gateway)) === position - 1) {
        const left = await withoutDeleted(transaction, seenVersion, rows);
        await addCounts(transaction, version, left);
      }
    }
    await takeLease(transaction, registry.nowMs, gateway.id);
    const found = await positionOf(transaction, gateway);
    if (found !== position && !(rows.length > 0 && found === position - 1)) return false;
    const body = state === null ? {} : stateColumns(state);
    await transaction
      .updateTable("ledger_gateway")
      .set({ position, seen_version: seenVersion, ...body })
      .where("id", "=", gateway.id)
      .execute();
    return true;
  });
}

/** Its counts are all there, and no batch of it is open. */
export async function leaveLedger(registry: Registry, { id }: SharingGateway): Promise<void> {
  await registry.write(async (transaction) => {
    await endLease(transaction, id);
    await transaction.deleteFrom("ledger_gateway").where("id", "=", id).execute();
  });
}

/**
 * Removes a gateway, with the rows of hints that it has counted: these are in no segment of the leaf
 * that they count on, and whoever takes over the hint counts them.
 */
export async function removeGateway(
  transaction: RegistryTransaction,
  version: number,
  id: string,
): Promise<void> {
  const found = await transaction
    .deleteFrom("ledger_gateway")
    .where("id", "=", id)
    .returning("body")
    .executeTakeFirst();
  await transaction
    .updateTable("ledger_doubt")
    .set({ held_by: null })
    .where("held_by", "=", id)
    .execute();
  if (found === undefined) return;
  const { open } = JSON.parse(found.body) as GatewayBody;
  for (const { table, countedOn: leaf, rows } of open) {
    if (leaf === null) continue;
    const counts = rows.counts.map((count) => -count);
    await addCounts(transaction, version, [{ table, leaf, rows: { ...rows, counts } }]);
  }
}

export const newDoubtId = (): string => randomUUID();

async function announce(
  transaction: RegistryTransaction,
  nowMs: Registry["nowMs"],
  { id, name, version }: SharingGateway & { readonly version: number },
): Promise<void> {
  const body = JSON.stringify(emptyBody);
  const row = { id, name, epoch: version, position: 0, late_ms: 0, seen_version: version, body };
  await transaction
    .insertInto("ledger_gateway")
    .values({ ...row, published_ms: nowMs })
    .execute();
}

async function positionOf(
  transaction: RegistryTransaction,
  { id }: SharingGateway,
): Promise<number | undefined> {
  const found = await transaction
    .selectFrom("ledger_gateway")
    .select("position")
    .where("id", "=", id)
    .executeTakeFirst();
  return found?.position;
}

const stateColumns = ({ publishedMs, lateMs, body }: NonNullable<Publication["state"]>) => ({
  published_ms: publishedMs,
  late_ms: Math.round(lateMs),
  body: JSON.stringify(body),
});

/** Rows of a deleted table went with it. */
async function withoutDeleted(
  transaction: RegistryTransaction,
  seenVersion: number,
  rows: readonly LeafRows[],
): Promise<readonly LeafRows[]> {
  const deleted = await transaction
    .selectFrom("ledger_deletion")
    .select("table_name")
    .where("version", ">", seenVersion)
    .execute();
  const names = new Set(deleted.map(({ table_name }) => table_name));
  return rows.filter(({ table }) => !names.has(table));
}
