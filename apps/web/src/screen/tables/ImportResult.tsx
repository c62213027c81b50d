import type { RowProblem } from "@hadal/sdk";
import { formatExact } from "../../format/number.js";
import { Button } from "../../ui/Button.js";
import { type DataColumn, DataTable } from "../../ui/DataTable.js";
import { Strip } from "../../ui/Strip.js";
import styles from "./tables.module.css";
import { exploreUrl } from "./tableUrls.js";
import type { UploadState } from "./uploadFile.js";

export interface ImportResultProps {
  readonly table: string;
  readonly state: UploadState;
  /** Why it ended before the end of the file; null: it did not. */
  readonly problem: string | null;
  readonly onBack: () => void;
}

/** What went in, what did not, and why. */
export function ImportResult({ table, state, problem, onBack }: ImportResultProps) {
  const { accepted, rejected, problems } = state;
  return (
    <div className={styles.import} data-testid="import-result">
      {problem !== null && <Strip tone="bad">{problem} What was added until then stays.</Strip>}
      <Strip tone={accepted > 0 ? "good" : "bad"}>
        {formatExact(accepted)} {accepted === 1 ? "row" : "rows"} added to {table}
        {rejected > 0 && `, ${formatExact(rejected)} rejected`}.
        {accepted > 0 && <a href={exploreUrl(table)}>Explore {table}</a>}
        <Button onClick={onBack}>Add more</Button>
      </Strip>
      {problems.length > 0 && <RejectedRows problems={problems} />}
      {rejected > problems.length && problems.length > 0 && (
        <p className={styles.hint}>The first {problems.length} of them.</p>
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
