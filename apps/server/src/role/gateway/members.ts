import type { MemberInfo } from "@hadal/sdk";
import type { LeafConnection } from "../../cluster/leafConnection.js";

export function gatewayMember(address: string): MemberInfo {
  return {
    id: "gateway",
    role: "gateway",
    address,
    pid: process.pid,
    state: "alive",
    rows: 0,
    bytes: 0,
    freeBytes: 0,
    memory: null,
    tables: [],
    lastHeardMs: Date.now(),
  };
}

export function leafMember({
  id,
  address,
  state,
  status,
  freeBytes,
  lastHeardMs,
}: LeafConnection): MemberInfo {
  return {
    id,
    role: "leaf",
    address: address ?? "",
    pid: status?.pid ?? null,
    state,
    rows: status?.rows ?? 0,
    bytes: status?.bytes ?? 0,
    freeBytes,
    memory: status?.memory ?? null,
    tables: status?.tables ?? [],
    lastHeardMs,
  };
}
