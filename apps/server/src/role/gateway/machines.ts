import { hostname } from "node:os";
import type { LeafCopy, MachineInfo, MachineState, MemberInfo } from "@hadal/sdk";
import { version } from "../../base/process/version.js";
import type { LeafConnection } from "../../cluster/leafConnection.js";
import { protocolVersion } from "../../cluster/leafProtocol.js";
import type { Member } from "../../registry/member/members.js";

type Leaf = Pick<LeafConnection, "id" | "state" | "status">;

export interface MachineParts {
  /** Of the registry, as they were last read. */
  readonly members: readonly Member[];
  /** Whether the registry cannot be read: then the connections say more than it. */
  readonly isRegistryAway: boolean;
  readonly leaves: readonly Leaf[];
  /** Whether numbers of rows may be seen. */
  readonly showsRows: boolean;
}

/** The machines of a cluster, by name. */
export function machinesOf(parts: MachineParts): readonly MachineInfo[] {
  const copies = copiesOf(parts.members);
  return aggregatorsOf(parts.members).map((member) => machineOf(member, parts, copies));
}

function machineOf(
  member: Member,
  { isRegistryAway, leaves, showsRows }: MachineParts,
  copies: readonly LeafCopy[],
): MachineInfo {
  const { name, address, protocol, leafIds, drain } = member;
  const own = leaves.filter(({ id }) => leafIds.includes(id));
  const heard = isRegistryAway ? stateOfLeaves(own) : member.state;
  const isUnreached = heard === "alive" && own.length > 0 && stateOfLeaves(own) === "dead";
  return {
    ...{ name, address, protocol, version: member.version, leaves: leafIds },
    state: stateOf(drain, heard),
    copies: copies.filter(({ machine }) => machine === name),
    rows: showsRows ? rowsOf(own) : null,
    ...(isUnreached && { problem: unreached(address) }),
  };
}

/** As where it advertises an address that only itself knows. */
const unreached = (address: string): string =>
  `nothing answers at ${address}; is that where other machines reach it (--advertise)?`;

/** The machine of a server without a cluster. */
export function onlyMachine(
  leaves: readonly Leaf[],
  { address, showsRows }: { readonly address: string; readonly showsRows: boolean },
): MachineInfo {
  return {
    ...{ name: onlyMachineName(), state: "alive", address, version, protocol: protocolVersion },
    ...{ leaves: leaves.map(({ id }) => id), copies: [] },
    rows: showsRows ? rowsOf(leaves) : null,
  };
}

/** By which its operator knows it. */
export const onlyMachineName = (): string => hostname().split(".")[0] ?? "";

/** The copies that machines hold of other machines' leaves. */
export function copiesOf(members: readonly Member[]): readonly LeafCopy[] {
  const machines = aggregatorsOf(members);
  const folders = new Map(
    machines.flatMap(({ leafFolders }) =>
      leafFolders.map(({ leafId, folderId }) => [leafId, folderId] as const),
    ),
  );
  return machines.flatMap(({ name, state, copies }) =>
    copies.map(({ leafId, folderId, isWhole, lagMs, problem }): LeafCopy => {
      const isOld = (folders.get(leafId) ?? folderId) !== folderId;
      const held = isOld ? "old" : isWhole ? "whole" : "building";
      return {
        ...{ leaf: leafId, machine: name, state: state === "dead" ? "away" : held, lagMs },
        ...(problem !== undefined && { problem }),
      };
    }),
  );
}

const aggregatorsOf = (members: readonly Member[]): readonly Member[] =>
  members.filter(({ role }) => role === "aggregator");

/** A machine that was drained may be gone: nothing is missing then. */
function stateOf(drain: Member["drain"], heard: MemberInfo["state"]): MachineState {
  if (drain === null) return heard;
  if (drain.drainedMs !== null) return "drained";
  return heard === "alive" ? "draining" : heard;
}

function stateOfLeaves(leaves: readonly Leaf[]): MemberInfo["state"] {
  for (const state of ["alive", "suspect"] as const) {
    if (leaves.some((leaf) => leaf.state === state)) return state;
  }
  return "dead";
}

/** Null: a leaf has not said yet how many it has. */
const rowsOf = (leaves: readonly Leaf[]): number | null =>
  leaves.reduce<number | null>(
    (sum, { status }) => (sum === null || status === null ? null : sum + status.rows),
    0,
  );
