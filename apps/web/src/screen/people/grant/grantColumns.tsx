import type { Grant } from "@hadal/sdk";
import { Button } from "../../../ui/button/Button.js";
import { ConfirmButton } from "../../../ui/button/ConfirmButton.js";
import type { DataColumn } from "../../../ui/table/DataTable.js";
import styles from "../base/people.module.css";
import { granteeOf } from "./grantDraft.js";
import { rowsText } from "./rowsText.js";

interface GrantRow {
  readonly grant: Grant;
  readonly key: string;
}

export interface GrantColumnsOf {
  /** Grants may name users by id. */
  readonly nameOf: (grant: Grant) => string;
  readonly onEdit: (grant: Grant) => void;
  readonly onRemove: (grant: Grant) => void;
}

export function grantColumns(of: GrantColumnsOf): readonly DataColumn<GrantRow>[] {
  const { nameOf, onEdit, onRemove } = of;
  return [
    {
      key: "who",
      head: "Who",
      cell: ({ grant }) => (
        <>
          <span className={styles.name} title={nameOf(grant)}>
            {nameOf(grant)}
          </span>
          <span className={styles.tag}>{granteeOf(grant).kind}</span>
        </>
      ),
    },
    {
      key: "table",
      head: "Table",
      cell: ({ grant: { table } }) => (table === "*" ? "every table" : table),
    },
    {
      key: "rows",
      head: "Rows",
      cell: ({ grant: { filter = [] } }) => (
        <span className={styles.text}>{rowsText(filter.length === 0 ? null : [filter])}</span>
      ),
    },
    {
      key: "hidden",
      head: "Hidden columns",
      wideOnly: true,
      cell: ({ grant: { hiddenColumns = [] } }) => (
        <span className={styles.text}>{hiddenColumns.join(", ")}</span>
      ),
    },
    {
      key: "actions",
      head: <span className={styles.hidden}>Actions</span>,
      align: "right",
      cell: ({ grant }) => (
        <span className={styles.actions}>
          <Button
            look="quiet"
            aria-label={`Edit the grant of ${grant.table} for ${nameOf(grant)}`}
            onClick={() => onEdit(grant)}
          >
            Edit
          </Button>
          <ConfirmButton
            label="Remove"
            subject={`the grant of ${grant.table} for ${nameOf(grant)}`}
            question="Remove the grant"
            onConfirm={() => onRemove(grant)}
          />
        </span>
      ),
    },
  ];
}
