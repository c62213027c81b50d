import type { MemberInfo } from "@hadal/sdk";
import { formatAgo } from "../../format/ago.js";
import { formatCompact, formatExact } from "../../format/number.js";
import { formatBytes } from "../../format/value.js";
import { Meter } from "../../ui/button/Meter.js";
import { type DataColumn, DataTable } from "../../ui/table/DataTable.js";
import styles from "./status.module.css";

/** All members with their state, rows and memory. */
export function MemberTable({ members }: { readonly members: readonly MemberInfo[] }) {
  // The gateway's own heartbeat is now: ages are measured by its clock, not the browser's.
  const nowMs = Math.max(...members.map(({ lastHeardMs }) => lastHeardMs));
  return (
    <DataTable
      label="Members"
      testId="members"
      rowTestId="member"
      columns={columnsAt(nowMs)}
      rows={members}
      rowKey={({ id }) => id}
    />
  );
}

const columnsAt = (nowMs: number): readonly DataColumn<MemberInfo>[] => [
  { key: "id", head: "Member", cell: memberCell },
  { key: "state", head: "State", cell: ({ state }) => state },
  { key: "role", head: "Role", wideOnly: true, cell: ({ role }) => role },
  { key: "memory", head: "Memory of the store", cell: (member) => <Memory member={member} /> },
  {
    key: "queries",
    head: "Query pool",
    wideOnly: true,
    title: "Memory used by running queries",
    cell: queryPoolText,
  },
  { key: "rows", head: "Rows", align: "right", cell: rowsCell },
  {
    key: "heard",
    head: "Last heard",
    align: "right",
    cell: ({ lastHeardMs }) => heardText(lastHeardMs, nowMs),
  },
  { key: "address", head: "Address", wideOnly: true, cell: addressCell },
];

const memberCell = ({ id, state }: MemberInfo) => (
  <span className={styles.member}>
    <i className={styles.dot} data-state={state} />
    {id}
  </span>
);

const queryPoolText = ({ memory }: MemberInfo): string =>
  memory === null
    ? "–"
    : `${formatBytes(memory.queryPoolUsedBytes)} of ${formatBytes(memory.queryPoolBytes)}`;

const rowsCell = ({ role, rows }: MemberInfo) =>
  role === "leaf" ? <span title={formatExact(rows)}>{formatCompact(rows)}</span> : "–";

const addressCell = ({ address, pid }: MemberInfo) => (
  <code className={styles.code} title={pid === null ? "" : `process ${pid}`}>
    {address === "" ? "–" : address}
  </code>
);

function heardText(lastHeardMs: number, nowMs: number): string {
  if (lastHeardMs <= 0) return "never";
  const ago = formatAgo(nowMs - lastHeardMs);
  return ago === "now" ? "now" : `${ago} ago`;
}

function Memory({ member: { id, memory, freeBytes } }: { readonly member: MemberInfo }) {
  if (memory === null) return "–";
  const { storeBytes, storeUsedBytes, storeLargestFreeBytes } = memory;
  const share = storeBytes === 0 ? 0 : storeUsedBytes / storeBytes;
  return (
    <span
      className={styles.memory}
      title={`${formatBytes(freeBytes)} free, largest free block ${formatBytes(storeLargestFreeBytes)}`}
    >
      <Meter label={`Memory of ${id}`} share={share} />
      {formatBytes(storeUsedBytes)}
      <span className={styles.quiet}>of {formatBytes(storeBytes)}</span>
    </span>
  );
}
