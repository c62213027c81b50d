import type { SenderList } from "../../base/row/batchSender.js";
import type { RegistryDatabase } from "../database/database.js";
import type { Registry } from "../registry.js";
import { type HourRows, readHours } from "./hourRows.js";
import { type SharedDoubt, toDoubt } from "./ledgerDoubts.js";
import type { GatewayBody } from "./ledgerGateways.js";
import { type AddedKeys, readKeys } from "./ledgerKeys.js";

export interface KnownGateway {
  readonly id: string;
  readonly name: string;
  readonly epoch: number;
  readonly position: number;
  readonly publishedMs: number;
  readonly lateMs: number;
  readonly seenVersion: number;
  readonly body: GatewayBody;
}

export interface SharedDrop {
  readonly table: string;
  readonly leaf: string;
  /** JSON. */
  readonly body: string;
}

/** The shared ledger at a moment: what has changed since a version, and the rest as it is. */
export interface LedgerNews {
  /** What is read may be newer, and is read again. */
  readonly version: number;
  /** On the clock of the database. */
  readonly nowMs: number;
  readonly leaseHolder: string | null;
  readonly report: string | null;
  readonly gateways: readonly KnownGateway[];
  /** Without every gateway whose place was taken before any of the `changes`. */
  readonly senders: SenderList;
  /** Null: the version is the same. */
  readonly changes: LedgerChanges | null;
}

export interface LedgerChanges {
  readonly hours: readonly HourRows[];
  readonly keys: readonly AddedKeys[];
  /** All there are. */
  readonly doubts: readonly SharedDoubt[];
  /** All there are. */
  readonly drops: readonly SharedDrop[];
  /** Tables that were deleted since. */
  readonly deleted: readonly string[];
}

export interface LedgerCursor {
  /** Of the hours in memory. */
  readonly sinceVersion: number;
  /** Of the deletions that this gateway knows, also of its runs before. */
  readonly seenVersion: number;
}

/** The clock of the database. */
export async function readClock(registry: Registry): Promise<number> {
  const { now } = await registry.read((database) =>
    database.selectNoFrom(registry.nowMs.as("now")).executeTakeFirstOrThrow(),
  );
  return Number(now);
}

/**
 * Reads what is new. The version comes before the gateways: all that had joined by then are there.
 * Gateways come before the hours: these have all that a gateway says it has added.
 */
export function readLedger(
  registry: Registry,
  { sinceVersion, seenVersion }: LedgerCursor,
): Promise<LedgerNews> {
  return registry.read(async (database) => {
    const { version } = await database
      .selectFrom("ledger_state")
      .select("version")
      .executeTakeFirstOrThrow();
    const gateways = await database.selectFrom("ledger_gateway").selectAll().execute();
    const state = await database
      .selectFrom("ledger_state")
      .select(["version", "lease_holder", "report"])
      .select(registry.nowMs.as("now"))
      .executeTakeFirstOrThrow();
    const changes =
      state.version === sinceVersion
        ? null
        : await readChanges(database, { sinceVersion, seenVersion });
    return {
      ...{ version, nowMs: Number(state.now), leaseHolder: state.lease_holder, changes },
      senders: await readSenders(database),
      report: state.report,
      gateways: gateways.map(({ published_ms, late_ms, seen_version, body, ...row }) => ({
        ...row,
        ...{ publishedMs: published_ms, lateMs: late_ms, seenVersion: seen_version },
        body: JSON.parse(body) as GatewayBody,
      })),
    };
  });
}

/** One statement: whoever is not listed at this version was removed by then, or comes later. */
async function readSenders(database: RegistryDatabase): Promise<SenderList> {
  const rows = await database
    .selectFrom("ledger_state")
    .leftJoin("ledger_gateway", (join) => join.onTrue())
    .select(["ledger_state.version", "ledger_gateway.id", "ledger_gateway.epoch"])
    .execute();
  const senders = rows.flatMap(({ id: gateway, epoch }) =>
    gateway === null || epoch === null ? [] : [{ gateway, epoch }],
  );
  return { version: rows[0]!.version, senders };
}

async function readChanges(
  database: RegistryDatabase,
  { sinceVersion, seenVersion }: LedgerCursor,
): Promise<LedgerChanges> {
  // Hours come first: a deletion that is seen without its hours is harmless.
  const hours = await readHours(database, sinceVersion);
  const keys = await readKeys(database, sinceVersion);
  const doubts = await database.selectFrom("ledger_doubt").selectAll().orderBy("id").execute();
  const drops = await database.selectFrom("ledger_drop").selectAll().execute();
  const deleted = await database
    .selectFrom("ledger_deletion")
    .select("table_name")
    .where("version", ">", seenVersion)
    .execute();
  return {
    ...{ hours, keys },
    doubts: doubts.map(toDoubt),
    drops: drops.map(({ table_name, leaf, body }) => ({ table: table_name, leaf, body })),
    deleted: deleted.map(({ table_name }) => table_name),
  };
}
