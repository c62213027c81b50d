import type { MemberInfo } from "@hadal/sdk";
import { formatAgo } from "../../format/ago.js";
import { formatCompact, formatExact } from "../../format/number.js";
import { formatBytes } from "../../format/value.js";
import { Meter } from "../../ui/button/Meter.js";
import { type DataColumn, DataTable } from "../../ui/table/DataTable.js";
import styles from "./status.module.css";

/** Every member: whether it lives, what it holds, how much room it has. */
export function MemberTable({ members }: { readonly members: readonly MemberInfo[] }) {
  // The gateway hears itself now: by its clock, not by the reader's, others were heard so long ago.
  const nowMs = Math.max(...members.map(({ lastHeardMs }) => lastHeardMs));
  const columns: readonly DataColumn<MemberInfo>[] = [
    {
      key: "id",
      head: "Member",
      cell: ({ id, state }) => (
        <span className={styles.member}>
          <i className={styles.dot} data-state={state} />
          {id}
        </span>
      ),
    },
    { key: "state", head: "State", cell: ({ state }) => state },
    { key: "role", head: "Role", wideOnly: true, cell: ({ role }) => role },
    {
      key: "memory",
      head: "Memory of the store",
      cell: (member) => <Memory member={member} />,
    },
    {
      key: "queries",
      head: "Query pool",
      wideOnly: true,
      title: "Memory that running queries use",
      cell: ({ memory }) =>
        memory === null
          ? "–"
          : `${formatBytes(memory.queryPoolUsedBytes)} of ${formatBytes(memory.queryPoolBytes)}`,
    },
    {
      key: "rows",
      head: "Rows",
      align: "right",
      cell: ({ role, rows }) =>
        role === "leaf" ? <span title={formatExact(rows)}>{formatCompact(rows)}</span> : "–",
    },
    {
      key: "heard",
      head: "Last heard",
      align: "right",
      cell: ({ lastHeardMs }) => {
        const ago = formatAgo(nowMs - lastHeardMs);
        return lastHeardMs <= 0 ? "never" : ago === "now" ? "now" : `${ago} ago`;
      },
    },
    {
      key: "address",
      head: "Address",
      wideOnly: true,
      cell: ({ address, pid }) => (
        <code className={styles.code} title={pid === null ? "" : `process ${pid}`}>
          {address === "" ? "–" : address}
        </code>
      ),
    },
  ];
  return (
    <DataTable
      label="Members"
      testId="members"
      rowTestId="member"
      columns={columns}
      rows={members}
      rowKey={({ id }) => id}
    />
  );
}

function Memory({ member: { id, memory, freeBytes } }: { readonly member: MemberInfo }) {
  if (memory === null) return "–";
  const { storeBytes, storeUsedBytes, storeLargestFreeBytes } = memory;
  const share = storeBytes === 0 ? 0 : storeUsedBytes / storeBytes;
  return (
    <span
      className={styles.memory}
      title={`${formatBytes(freeBytes)} free, the largest piece ${formatBytes(storeLargestFreeBytes)}`}
    >
      <Meter label={`Memory of ${id}`} share={share} />
      {formatBytes(storeUsedBytes)}
      <span className={styles.quiet}>of {formatBytes(storeBytes)}</span>
    </span>
  );
}
