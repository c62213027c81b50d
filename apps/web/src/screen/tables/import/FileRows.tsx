import { DataTable } from "../../../ui/table/DataTable.js";
import styles from "../base/tables.module.css";
import type { Preview } from "../file/readPreview.js";

interface FileRow {
  readonly key: string;
  readonly row: Preview["rows"][number];
}

/** The rows of the file, shown while no time column is chosen. */
export function FileRows({ preview }: { readonly preview: Preview }) {
  return (
    <DataTable
      label="First rows"
      testId="import-preview"
      columns={preview.columns.map(({ name }) => ({
        key: name,
        head: name,
        cell: ({ row }: FileRow) => (
          <span className={styles.previewCell} title={textOf(row[name])}>
            {textOf(row[name])}
          </span>
        ),
      }))}
      rows={preview.rows.slice(0, 10).map((row, i) => ({ row, key: String(i) }))}
      rowKey={({ key }) => key}
    />
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
