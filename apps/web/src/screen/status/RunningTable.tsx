import { HadalError, type StatusInfo } from "@hadal/sdk";
import { useState } from "react";
import { formatMs } from "../../format/duration.js";
import { Button } from "../../ui/button/Button.js";
import { Strip } from "../../ui/page/Strip.js";
import { type DataColumn, DataTable } from "../../ui/table/DataTable.js";
import styles from "./status.module.css";

type RunningQuery = StatusInfo["queries"][number];

export interface RunningTableProps {
  readonly queries: readonly RunningQuery[];
  readonly mayCancel: boolean;
  readonly onCancel: (id: string) => Promise<void>;
}

/** The running queries of all users, each with a button to cancel it. */
export function RunningTable({ queries, mayCancel, onCancel }: RunningTableProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const cancel = async (id: string): Promise<void> => {
    try {
      await onCancel(id);
      setProblem(null);
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      // The query has already finished.
      setProblem(error.code === "unknown-query" ? null : error.message);
    }
  };
  const columns: readonly DataColumn<RunningQuery>[] = [
    {
      key: "text",
      head: "Query",
      cell: ({ text, table }) => (
        <code className={styles.query} title={text}>
          {text === "" ? table : text}
        </code>
      ),
    },
    {
      key: "elapsed",
      head: "Running for",
      align: "right",
      cell: ({ elapsedMs }) => formatMs(elapsedMs),
    },
    {
      key: "cancel",
      head: <span className={styles.hidden}>Cancel</span>,
      align: "right",
      cell: ({ id, text }) => (
        <Button
          aria-label={`Cancel ${text}`}
          data-testid="cancel-query"
          onClick={() => void cancel(id)}
        >
          Cancel
        </Button>
      ),
    },
  ];
  return (
    <>
      {problem !== null && <Strip tone="bad">{problem}</Strip>}
      <DataTable
        label="Queries running"
        testId="running"
        rowTestId="running-query"
        columns={mayCancel ? columns : columns.filter(({ key }) => key !== "cancel")}
        rows={queries}
        rowKey={({ id }) => id}
        empty="No queries are running. Most queries finish before they appear here."
      />
    </>
  );
}
