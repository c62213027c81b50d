import { createHash, randomUUID } from "node:crypto";
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
  readonly leafIds: readonly string[];
}

export type MemberRole = "aggregator" | "gateway";

export interface Member extends AnnouncedMember {
  readonly state: MemberState;
}

/** alive: heard from in the last 3 seconds; suspect: in the last 10; dead: not for longer. */
export type MemberState = "alive" | "suspect" | "dead";

export interface ClusterIdentity {
  readonly id: string;
  /** How many nodes each aggregator asks. */
  readonly fanOut: number;
}

const suspectMs = 3_000;
const deadMs = 10_000;

/** A member may not join; the message is for people. */
export class JoinRefused extends Error {}

/**
 * The cluster of this database; the first member makes it. Rejects with {@link JoinRefused} where it
 * has another key or fan-out.
 */
export async function joinCluster(
  registry: Registry,
  { key, fanOut }: { readonly key: string; readonly fanOut: number | null },
  fanOutDefault: number,
): Promise<ClusterIdentity> {
  const keyHash = createHash("sha256").update(key).digest("hex");
  const found = await registry.write(async (transaction) => {
    const known = await transaction.selectFrom("cluster").selectAll().executeTakeFirst();
    if (known !== undefined) return known;
    const made = { id: randomUUID(), key_hash: keyHash, fan_out: fanOut ?? fanOutDefault };
    await transaction.insertInto("cluster").values(made).execute();
    return made;
  });
  if (found.key_hash !== keyHash) {
    throw new JoinRefused("The key is not that of the cluster; all members have the same one.");
  }
  if (fanOut !== null && fanOut !== found.fan_out) {
    throw new JoinRefused(`--fan-out is ${fanOut}; the cluster's is ${found.fan_out}.`);
  }
  return { id: found.id, fanOut: found.fan_out };
}

/**
 * Announces a member, in place of a dead one or an earlier process of its own. Rejects with
 * {@link JoinRefused} where another member has the name.
 */
export async function announceMember(
  registry: Registry,
  { leafIds, ...member }: AnnouncedMember,
): Promise<void> {
  const { nowMs } = registry;
  const row = { ...member, leaf_ids: JSON.stringify(leafIds), heartbeat_ms: nowMs };
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

/** Says that the member is alive; false: its place was taken by another process. */
export async function beatMember(
  registry: Registry,
  { name, instance }: Pick<AnnouncedMember, "name" | "instance">,
): Promise<boolean> {
  const { numUpdatedRows } = await registry.read((database) =>
    database
      .updateTable("member")
      .set({ heartbeat_ms: registry.nowMs })
      .where("name", "=", name)
      .where("instance", "=", instance)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

export async function removeMember(
  registry: Registry,
  { name, instance }: Pick<AnnouncedMember, "name" | "instance">,
): Promise<void> {
  await registry.write((transaction) =>
    transaction
      .deleteFrom("member")
      .where("name", "=", name)
      .where("instance", "=", instance)
      .execute(),
  );
}

/** All members, by name. */
export async function listMembers(registry: Registry): Promise<readonly Member[]> {
  const { nowMs } = registry;
  const rows = await registry.read((database) =>
    database
      .selectFrom("member")
      .selectAll()
      .select(({ eb }) => eb(nowMs, "-", eb.ref("heartbeat_ms")).as("age_ms"))
      .orderBy("name")
      .execute(),
  );
  return rows.map(({ leaf_ids, role, name, instance, address, protocol, age_ms }) => ({
    ...{ name, instance, address, protocol, role: role as MemberRole },
    leafIds: JSON.parse(leaf_ids) as readonly string[],
    state: stateAfter(Number(age_ms)),
  }));
}

function stateAfter(silentMs: number): MemberState {
  if (silentMs < suspectMs) return "alive";
  return silentMs < deadMs ? "suspect" : "dead";
}
