import type { Annotation, AnnotationQuery } from "@hadal/sdk";
import type { ReactNode } from "react";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import { formatInstant, formatIso, formatRange } from "../../format/time.js";
import { filterLabel } from "../../query/filter/operators.js";
import { Button } from "../../ui/button/Button.js";
import { ConfirmButton } from "../../ui/button/ConfirmButton.js";
import type { DataColumn } from "../../ui/table/DataTable.js";
import styles from "./annotations.module.css";

export interface ColumnsOf {
  readonly mayChange: boolean;
  readonly onEdit: (id: string) => void;
  readonly onRemove: (id: string, version: number) => void;
}

export const momentColumns = (of: ColumnsOf): readonly DataColumn<Annotation>[] => [
  {
    key: "when",
    head: "When",
    cell: ({ timeMs, untilMs }) => (
      <span className={styles.when} title={formatIso(timeMs)}>
        {whenWords(timeMs, untilMs)}
      </span>
    ),
  },
  { key: "title", head: "Title", cell: ({ title, text }) => <Titled title={title} text={text} /> },
  {
    key: "tags",
    head: "Tags",
    wideOnly: true,
    cell: ({ tags }) => <Listed names={tags} none="" />,
  },
  {
    key: "tables",
    head: "On charts of",
    wideOnly: true,
    cell: ({ tables }) => <Listed names={tables ?? []} none="every table" />,
  },
  { key: "by", head: "By", wideOnly: true, cell: ({ createdBy }) => createdBy ?? "–" },
  actionsColumn(of),
];

export const queryColumns = (of: ColumnsOf): readonly DataColumn<AnnotationQuery>[] => [
  { key: "title", head: "Title", cell: ({ title }) => <Titled title={title} text="" /> },
  {
    key: "rows",
    head: "Rows of",
    cell: ({ query: { table, filter = [] } }) => (
      <span className={styles.text}>{[table, ...filter.map(filterLabel)].join(" · ")}</span>
    ),
  },
  {
    key: "columns",
    head: "Named by",
    wideOnly: true,
    cell: ({ titleColumn, textColumn, tagColumns = [] }) => (
      <Listed
        names={[titleColumn, ...(textColumn === undefined ? [] : [textColumn]), ...tagColumns]}
        none=""
      />
    ),
  },
  {
    key: "tables",
    head: "On charts of",
    wideOnly: true,
    cell: ({ tables = [], query }) => <Listed names={tables} none={query.table} />,
  },
  actionsColumn(of),
];

interface Changeable {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly file?: string;
}

function actionsColumn<Row extends Changeable>(of: ColumnsOf): DataColumn<Row> {
  return {
    key: "actions",
    head: <span className={styles.hidden}>Actions</span>,
    align: "right",
    cell: (row) => actionsOf(row, of),
  };
}

function actionsOf({ id, version, title, file }: Changeable, of: ColumnsOf): ReactNode {
  if (file !== undefined) {
    const reason = `It comes from the file ${file} of the server: it is changed there.`;
    return (
      <span className={styles.quiet} title={reason}>
        in a file
      </span>
    );
  }
  if (!of.mayChange) return null;
  return (
    <span className={styles.actions}>
      <Button
        look="quiet"
        aria-label={`Edit ${title}`}
        data-testid="edit-annotation"
        onClick={() => of.onEdit(id)}
      >
        Edit
      </Button>
      <ConfirmButton
        label="Delete"
        subject={title}
        question="Delete for everyone"
        onConfirm={() => of.onRemove(id, version)}
      />
    </span>
  );
}

/** The year where it is not this one. */
function whenWords(timeMs: number, untilMs: number | null): string {
  const zone = ownTimeZone();
  if (untilMs !== null && untilMs > timeMs) return formatRange(timeMs, untilMs, zone, Date.now());
  const year = new Date(timeMs).getFullYear();
  const isOther = year !== new Date().getFullYear();
  return `${formatInstant(timeMs, zone)}${isOther ? ` ${year}` : ""}`;
}

function Titled({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <span className={styles.titled} title={text === "" ? title : `${title}\n${text}`}>
      <b>{title}</b>
      {text !== "" && <small>{text}</small>}
    </span>
  );
}

function Listed({ names, none }: { readonly names: readonly string[]; readonly none: string }) {
  return names.length === 0 ? (
    <span className={styles.quiet}>{none}</span>
  ) : (
    <span className={styles.text}>{names.join(", ")}</span>
  );
}
