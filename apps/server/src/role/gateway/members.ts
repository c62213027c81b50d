import type { LeafCopy, MemberInfo } from "@hadal/sdk";
import { version } from "../../base/process/version.js";
import type { LeafConnection } from "../../cluster/leafConnection.js";
import type { WindowCounts } from "../../cluster/windowCounts.js";
import type { KnownMembers, Member } from "../../registry/member/members.js";
import { copiesOf, onlyMachineName } from "./machines.js";

/** What is known of members now. */
export interface MemberParts {
  /** Of this gateway. */
  readonly address: string;
  readonly leaves: readonly LeafConnection[];
  /** null: there is no cluster. */
  readonly cluster: Pick<KnownMembers, "list" | "self"> | null;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  readonly windowsOf?: (machine: string) => WindowCounts | undefined;
}

/** The id of the gateway that answers. */
export const gatewayId = "gateway";

/** All members: this gateway, other ones, aggregators, leaves. */
export function memberInfos(parts: MemberParts): readonly MemberInfo[] {
  const listed = parts.cluster?.list() ?? [];
  const copies = copiesOf(listed);
  const machines = listed.filter(({ role }) => role === "aggregator");
  const leaves = parts.leaves.map((leaf) => {
    const home = machines.find(({ leafIds }) => leafIds.includes(leaf.id))?.name ?? null;
    const own = copies.filter((copy) => copy.leaf === leaf.id);
    return leafMember(leaf, { ...parts, home, copies: own });
  });
  const others = listed.filter(({ name }) => name !== parts.cluster?.self);
  return [
    gatewayMember(parts),
    ...others.map((member) => {
      const own = copies.filter(({ machine }) => machine === member.name);
      return otherMember(member, { ...parts, copies: own });
    }),
    ...leaves,
  ];
}

const storesNothing = {
  ...{ pid: null, rows: 0, bytes: 0, freeBytes: 0, rowsUnwritten: 0, memory: null, tables: [] },
} as const;

function gatewayMember({ address, cluster, nowMs }: MemberParts): MemberInfo {
  return {
    ...{ id: gatewayId, role: "gateway", address, state: "alive", ...storesNothing },
    pid: process.pid,
    machine: cluster === null ? onlyMachineName() : machineOfGateway(cluster.self),
    ...{ parent: null, version, lastHeardMs: nowMs, lagMs: 0, copies: [] },
  };
}

interface OtherParts extends MemberParts {
  readonly copies: readonly LeafCopy[];
}

/** As the registry has it. */
function otherMember(
  { name, role, address, state, version: own, silentMs }: Member,
  { nowMs, copies, windowsOf }: OtherParts,
): MemberInfo {
  const requests = role === "aggregator" ? windowsOf?.(name) : undefined;
  return {
    ...{ id: name, role, address, state, ...storesNothing },
    machine: role === "gateway" ? machineOfGateway(name) : name,
    // Each query has another tree.
    ...{ parent: null, version: own, copies },
    ...{ lastHeardMs: Math.max(0, nowMs - silentMs), lagMs: silentMs },
    ...(requests && { requests }),
  };
}

interface LeafParts extends OtherParts {
  /** Its machine; null: there is no cluster. */
  readonly home: string | null;
}

function leafMember(
  { id, address, state, status, freeBytes, lastHeardMs }: LeafConnection,
  { home, cluster, copies, nowMs }: LeafParts,
): MemberInfo {
  const machine = cluster?.list().find(({ name }) => name === home);
  return {
    ...{ id, role: "leaf", address: address ?? "", pid: status?.pid ?? null, state },
    ...{ rows: status?.rows ?? 0, bytes: status?.bytes ?? 0, freeBytes },
    rowsUnwritten: status?.rowsUnwritten ?? 0,
    ...(status?.unitsUndecided !== undefined && { unitsUndecided: status.unitsUndecided }),
    filesDamaged: status?.filesDamaged ?? 0,
    ...{ memory: status?.memory ?? null, tables: status?.tables ?? [], lastHeardMs },
    machine: home ?? onlyMachineName(),
    parent: home ?? gatewayId,
    version: machine?.version ?? version,
    lagMs: lastHeardMs <= 0 ? null : Math.max(0, nowMs - lastHeardMs),
    copies,
  };
}

const machineOfGateway = (name: string): string => name.replace(/-gateway$/, "");
