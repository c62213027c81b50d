import type { HadalClient, RowProblem } from "@hadal/sdk";
import { formatExact } from "../../../format/number.js";
import { Button } from "../../../ui/button/Button.js";
import { Strip } from "../../../ui/page/Strip.js";
import { type DataColumn, DataTable } from "../../../ui/table/DataTable.js";
import styles from "../base/tables.module.css";
import type { UploadState } from "../file/uploadFile.js";
import { useAllRowsUrl } from "./useAllRowsUrl.js";

export interface ImportResultProps {
  readonly client: HadalClient;
  readonly table: string;
  readonly state: UploadState;
  /** Why the import ended early; null: it is complete. */
  readonly problem: string | null;
  readonly onBack: () => void;
}

/** The numbers of added and rejected rows, with the reasons. */
export function ImportResult({ client, table, state, problem, onBack }: ImportResultProps) {
  const { accepted, rejected, problems } = state;
  const url = useAllRowsUrl(client, table);
  return (
    <div className={styles.import} data-testid="import-result">
      {problem !== null && <Strip tone="bad">{problem} Rows added before that stay.</Strip>}
      <Strip tone={accepted > 0 ? "good" : "bad"}>
        {formatExact(accepted)} {accepted === 1 ? "row" : "rows"} added to {table}
        {rejected > 0 && `, ${formatExact(rejected)} rejected`}.
        {accepted > 0 && url !== null && <a href={url}>Explore {table}</a>}
        <Button onClick={onBack}>Add more</Button>
      </Strip>
      {problems.length > 0 && <RejectedRows problems={problems} />}
      {rejected > problems.length && problems.length > 0 && (
        <p className={styles.hint}>Only the first {problems.length} rejected rows are listed.</p>
      )}
    </div>
  );
}

export function RejectedRows({ problems }: { readonly problems: readonly RowProblem[] }) {
  return (
    <DataTable
      label="Rejected rows"
      testId="rejected"
      columns={problemColumns}
      rows={problems}
      rowKey={({ line, detail }) => `${line} ${detail}`}
    />
  );
}

const problemColumns: readonly DataColumn<RowProblem>[] = [
  { key: "line", head: "Line", align: "right", cell: ({ line }) => formatExact(line) },
  {
    key: "detail",
    head: "Why it was rejected",
    cell: ({ detail }) => <span className={styles.reason}>{detail}</span>,
  },
];
