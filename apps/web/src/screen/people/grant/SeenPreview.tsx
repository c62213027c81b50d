import type { Grant, TokenInfo, User } from "@hadal/sdk";
import { useState } from "react";
import { Select } from "../../../ui/button/Select.js";
import { type DataColumn, DataTable } from "../../../ui/table/DataTable.js";
import styles from "../base/people.module.css";
import { rowsText } from "./rowsText.js";
import { type SeenTable, seenByToken, seenByUser } from "./seenTables.js";

export interface SeenPreviewProps {
  readonly users: readonly User[];
  readonly tokens: readonly TokenInfo[];
  readonly grants: readonly Grant[];
}

const columnsOf = (count: number): readonly DataColumn<SeenTable>[] => [
  {
    key: "table",
    head: "Table",
    cell: ({ table }) =>
      table === "*" ? (count > 1 ? "every other table" : "every table") : table,
  },
  {
    key: "rows",
    head: "Rows",
    cell: ({ rows }) => <span className={styles.text}>{rowsText(rows)}</span>,
  },
  {
    key: "hidden",
    head: "Without the columns",
    cell: ({ hiddenColumns }) => <span className={styles.text}>{hiddenColumns.join(", ")}</span>,
  },
];

/** The tables, rows and columns of one user or token, by all grants together. */
export function SeenPreview({ users, tokens, grants }: SeenPreviewProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const readers = [
    ...users.map((user) => ({
      value: `user ${user.id}`,
      label: `${user.name} (${user.role})`,
      seen: () => seenByUser(user, grants),
    })),
    ...tokens.map((token) => ({
      value: `token ${token.id}`,
      label: `token ${token.name === "" ? token.id : token.name}`,
      seen: () => seenByToken(token, grants),
    })),
  ];
  const reader = readers.find(({ value }) => value === chosen) ?? readers[0];
  if (reader === undefined) {
    return <p className={styles.hint}>There are no users and no tokens yet.</p>;
  }
  const seen = reader.seen();
  return (
    <>
      <div className={styles.bar}>
        <Select
          label="Person or token"
          testId="seen-who"
          value={reader.value}
          options={readers}
          onChange={setChosen}
        />
      </div>
      <DataTable
        label="What this person sees"
        testId="seen-tables"
        columns={columnsOf(seen.length)}
        rows={seen}
        rowKey={({ table }) => table}
        empty="No table: for this person, none exists."
      />
    </>
  );
}
