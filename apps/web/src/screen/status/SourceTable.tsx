import type { SourceStatus } from "@hadal/sdk";
import { formatCompact, formatExact } from "../../format/number.js";
import { type DataColumn, DataTable } from "../../ui/table/DataTable.js";
import { problemOf, stateOf, topicsOf } from "./sourceSentences.js";
import styles from "./status.module.css";

const columns: readonly DataColumn<SourceStatus>[] = [
  {
    key: "id",
    head: "Source",
    cell: ({ id, state }) => (
      <span className={styles.member}>
        <i className={styles.dot} data-state={state} />
        {id}
      </span>
    ),
  },
  { key: "topics", head: "Topics", cell: topicsOf },
  {
    key: "state",
    head: "State",
    cell: (source) => (
      <span className={styles.reason} title={stateOf(source)}>
        {stateOf(source)}
      </span>
    ),
  },
  {
    key: "lag",
    head: "Behind",
    align: "right",
    cell: ({ lagRows }) => <span title={formatExact(lagRows)}>{formatCompact(lagRows)}</span>,
  },
  {
    key: "rejected",
    head: "Refused",
    align: "right",
    cell: ({ rejected }) => <span title={formatExact(rejected)}>{formatCompact(rejected)}</span>,
  },
  {
    key: "problem",
    head: "Last problem",
    cell: (source) => (
      <span className={styles.reason} title={problemOf(source)}>
        {problemOf(source)}
      </span>
    ),
  },
];

/** Topics of Kafka that are read: how far behind each is, and what was refused last. */
export function SourceTable({ sources }: { readonly sources: readonly SourceStatus[] }) {
  return (
    <DataTable
      label="Sources"
      testId="sources"
      columns={columns}
      rows={sources}
      rowKey={({ id }) => id}
      empty="No topics are read."
    />
  );
}
