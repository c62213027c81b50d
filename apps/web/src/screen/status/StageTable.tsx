import type { IngestStage } from "@hadal/sdk";
import { formatMs } from "../../format/duration.js";
import { formatCompact, formatExact } from "../../format/number.js";
import { type DataColumn, DataTable } from "../../ui/table/DataTable.js";

const meanings: Readonly<Record<IngestStage["stage"], string>> = {
  accepted: "sent to leaves, not confirmed yet",
  durable: "on disk, not visible yet",
  open: "visible, in segments that grow",
  sealed: "in small segments",
  merged: "in large or merged segments",
};

const columns: readonly DataColumn<IngestStage>[] = [
  { key: "stage", head: "Stage", cell: ({ stage }) => stage },
  { key: "meaning", head: "Rows are", cell: ({ stage }) => meanings[stage] },
  {
    key: "rows",
    head: "Rows",
    align: "right",
    cell: ({ rows }) => <span title={formatExact(rows)}>{formatCompact(rows)}</span>,
  },
  {
    key: "lag",
    head: "Oldest waits",
    align: "right",
    cell: ({ lagMs }) => (lagMs > 0 ? formatMs(lagMs) : "–"),
  },
];

/** How far rows have come, from the gateway to merged segments. */
export function StageTable({ stages }: { readonly stages: readonly IngestStage[] }) {
  return (
    <DataTable
      label="Rows by stage"
      testId="stages"
      columns={columns}
      rows={stages}
      rowKey={({ stage }) => stage}
      empty="Only those who may read every table see the stages."
    />
  );
}
