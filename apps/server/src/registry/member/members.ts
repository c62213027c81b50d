import { createHash, randomUUID } from "node:crypto";
import type { RegistryDatabase, RegistryTransaction } from "../database/database.js";
import type { Registry } from "../registry.js";

/** A process of the cluster, as it announces itself. */
export interface AnnouncedMember {
  /** Of its machine; no other member has it. */
  readonly name: string;
  /** Of its data folder: a process that starts again takes its own place. */
  readonly instance: string;
  readonly role: MemberRole;
  /** `host:port` for other members. */
  readonly address: string;
  readonly protocol: number;
  /** Of its program. */
  readonly version: string;
  readonly leafIds: readonly string[];
  readonly leafFolders: readonly LeafFolder[];
  readonly copies: readonly MemberCopy[];
}

/** The data folder of a leaf. */
export interface LeafFolder {
  readonly leafId: string;
  readonly folderId: string;
  /**
   * How often rows of it were planned to be removed; null: a copy that has never had all rows. Absent:
   * a member of an older version.
   */
  readonly removals?: number | null;
}

/** A copy that a member holds of another one's partition, which has the id of its leaf. */
export interface MemberCopy extends LeafFolder {
  /** It has all that the leaf had written down when they were last compared. */
  readonly isWhole: boolean;
  /** How old the newest is that it lacks; null: not known. */
  readonly lagMs: number | null;
  /** Absent: not known. */
  readonly rows?: number;
  /** Why it does not go on; absent: it does. */
  readonly problem?: string;
}

/** The members of a cluster as one process knows them. */
export interface KnownMembers {
  /** The name of this process. */
  readonly self: string;
  /** As they were last read, by name. */
  list(): readonly Member[];
  /** The partitions that fewer machines have whole than are to have them. */
  notWhole(): readonly string[];
  /** Why they cannot be read now; null: they can. */
  problem(): string | null;
  /**
   * Resolves with whether all members know that a leaf has planned so many removals of rows: none asks
   * a copy any longer that does not know of them.
   */
  whenRemovalsKnown(leafId: string, removals: number): Promise<boolean>;
  /** Reads them now. Rejects with `registry-unavailable`. */
  refresh(): Promise<void>;
}

export type MemberRole = "aggregator" | "gateway";

export interface Member extends AnnouncedMember {
  readonly state: MemberState;
  /** Since its last heartbeat. */
  readonly silentMs: number;
  /** Of a machine that takes no new rows. */
  readonly drain: MachineDrain | null;
  /** Of a gateway: draining machines that get nothing any more from it. */
  readonly sendsNoneTo: readonly string[];
}

/** A machine is being emptied; times are on the clock of the database. */
export interface MachineDrain {
  readonly askedMs: number;
  /** Since when it may be stopped; null: it may not. */
  readonly drainedMs: number | null;
  /** Its leaves hold nothing: it may be stopped, and need not be asked. */
  readonly isEmpty: boolean;
}

/** alive: heard from in the last 3 seconds; suspect: in the last 10; dead: not for longer. */
export type MemberState = "alive" | "suspect" | "dead";

export interface ClusterIdentity {
  readonly id: string;
  /** How many nodes each aggregator asks. */
  readonly fanOut: number;
  /** On how many machines each partition is to be, its home among them. */
  readonly copies: number;
  /** Links between machines are encrypted. */
  readonly tls: boolean;
}

/** What all members have in common; null: as the cluster has it. */
export type AskedSettings = {
  readonly [name in "fanOut" | "copies" | "tls"]: ClusterIdentity[name] | null;
};

const suspectMs = 3_000;
const deadMs = 10_000;

/** A member may not join; the message is for people. */
export class JoinRefused extends Error {}

/**
 * The cluster of this database; the first member makes it. Rejects with {@link JoinRefused} where it
 * has another key, fan-out, number of copies or encryption.
 */
export async function joinCluster(
  registry: Registry,
  { key, fanOut, copies, tls }: AskedSettings & { readonly key: string },
  defaults: Omit<ClusterIdentity, "id">,
): Promise<ClusterIdentity> {
  const keyHash = createHash("sha256").update(key).digest("hex");
  const found = await registry.write(async (transaction) => {
    const known = await transaction.selectFrom("cluster").selectAll().executeTakeFirst();
    if (known !== undefined) return known;
    const made = {
      ...{ id: randomUUID(), key_hash: keyHash },
      ...{ fan_out: fanOut ?? defaults.fanOut, copies: copies ?? defaults.copies },
      tls: (tls ?? defaults.tls) ? 1 : 0,
    };
    await transaction.insertInto("cluster").values(made).execute();
    return made;
  });
  if (found.key_hash !== keyHash) {
    throw new JoinRefused("The key is not that of the cluster; all members have the same one.");
  }
  refuseOther("--fan-out", fanOut, found.fan_out);
  refuseOther("--copies", copies, found.copies);
  const isEncrypted = found.tls === 1;
  if (tls !== null && tls !== isEncrypted) {
    const [asked, is] = isEncrypted ? ["off", "on"] : ["on", "off"];
    throw new JoinRefused(`--cluster-tls is ${asked}; in the cluster it is ${is}.`);
  }
  return { id: found.id, fanOut: found.fan_out, copies: found.copies, tls: isEncrypted };
}

function refuseOther(flag: string, asked: number | null, found: number): void {
  if (asked === null || asked === found) return;
  throw new JoinRefused(`${flag} is ${asked}; the cluster's is ${found}.`);
}

/**
 * Announces a member, in place of a dead one or an earlier process of its own. Rejects with
 * {@link JoinRefused} where another member has the name.
 */
export async function announceMember(
  registry: Registry,
  { leafIds, leafFolders, copies, ...member }: AnnouncedMember,
): Promise<void> {
  const { nowMs } = registry;
  const row = {
    ...{ ...member, leaf_ids: JSON.stringify(leafIds), heartbeat_ms: nowMs },
    sends_none_to: "[]",
    ...printHeld({ leafFolders, copies }),
  };
  const takenBy = await registry.write(async (transaction) => {
    const other = await transaction
      .selectFrom("member")
      .select(["address", "instance"])
      .select(({ eb }) => eb(nowMs, "-", eb.ref("heartbeat_ms")).as("age_ms"))
      .where("name", "=", member.name)
      .executeTakeFirst();
    const isTaken =
      other !== undefined && other.instance !== member.instance && Number(other.age_ms) < deadMs;
    if (isTaken) return other.address;
    await transaction.deleteFrom("member").where("name", "=", member.name).execute();
    await transaction.insertInto("member").values(row).execute();
    return null;
  });
  if (takenBy === null) return;
  throw new JoinRefused(
    `The machine name ${member.name} is in use at ${takenBy}; choose another with --machine.`,
  );
}

/** What a member has, as it says with each heartbeat. */
export type HeldPartitions = Pick<AnnouncedMember, "leafFolders" | "copies">;

const printHeld = ({ leafFolders, copies }: HeldPartitions) => ({
  leaf_folders: JSON.stringify(leafFolders),
  copies: JSON.stringify(copies),
});

/** Says that the member is alive, and what it has; false: its place was taken by another process. */
export async function beatMember(
  registry: Registry,
  { name, instance, ...held }: Pick<AnnouncedMember, "name" | "instance"> & HeldPartitions,
): Promise<boolean> {
  const { numUpdatedRows } = await registry.read((database) =>
    database
      .updateTable("member")
      .set({ heartbeat_ms: registry.nowMs, ...printHeld(held) })
      .where("name", "=", name)
      .where("instance", "=", instance)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

/** Takes a member off the list. One that has rows stays, as dead: they are to be read from copies. */
export async function leaveCluster(
  registry: Registry,
  { name, instance, leafIds }: Pick<AnnouncedMember, "name" | "instance" | "leafIds">,
): Promise<void> {
  await registry.write(async (transaction) => {
    if (leafIds.length === 0) {
      const gone = transaction.deleteFrom("member").where("name", "=", name);
      await gone.where("instance", "=", instance).execute();
      return;
    }
    const dead = transaction.updateTable("member").set({ heartbeat_ms: 0 });
    await dead.where("name", "=", name).where("instance", "=", instance).execute();
  });
}

/** All members, by name. */
export function listMembers(registry: Registry): Promise<readonly Member[]> {
  return registry.read((database) => readMembers(database, registry.nowMs));
}

/** `nowMs`: of the registry. */
export async function readMembers(
  database: RegistryDatabase | RegistryTransaction,
  nowMs: Registry["nowMs"],
): Promise<readonly Member[]> {
  const rows = await database
    .selectFrom("member")
    .leftJoin("machine_drain", "machine_drain.name", "member.name")
    .selectAll("member")
    .select(["asked_ms", "drained_ms", "is_empty"])
    .select(({ eb }) => eb(nowMs, "-", eb.ref("heartbeat_ms")).as("age_ms"))
    .orderBy("member.name")
    .execute();
  return rows.map(({ role, name, instance, address, protocol, version, age_ms, ...lists }) => ({
    ...{ name, instance, address, protocol, version, role: role as MemberRole },
    drain: drainOf(lists),
    sendsNoneTo: JSON.parse(lists.sends_none_to) as readonly string[],
    leafIds: JSON.parse(lists.leaf_ids) as readonly string[],
    leafFolders: JSON.parse(lists.leaf_folders) as readonly LeafFolder[],
    copies: JSON.parse(lists.copies) as readonly MemberCopy[],
    ...{ state: stateAfter(Number(age_ms)), silentMs: Number(age_ms) },
  }));
}

interface DrainColumns {
  readonly asked_ms: number | null;
  readonly drained_ms: number | null;
  readonly is_empty: number | null;
}

/** Null: there is no row. PostgreSQL may give a bigint as text. */
function drainOf({ asked_ms, drained_ms, is_empty }: DrainColumns): MachineDrain | null {
  if (asked_ms === null) return null;
  return {
    askedMs: Number(asked_ms),
    drainedMs: drained_ms === null ? null : Number(drained_ms),
    isEmpty: is_empty === 1,
  };
}

function stateAfter(silentMs: number): MemberState {
  if (silentMs < suspectMs) return "alive";
  return silentMs < deadMs ? "suspect" : "dead";
}
