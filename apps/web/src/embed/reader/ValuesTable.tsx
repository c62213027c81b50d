import type { Result } from "@hadal/sdk";
import { useDeferredValue } from "react";
import { exactText, shownColumns } from "../../chart/kit/rows/rowColumns.js";
import styles from "../style/embed.module.css";

export interface ValuesTableProps {
  readonly result: Result;
  readonly title: string;
}

/** More would make a page slow whose reader does not see them. */
const rowsMax = 500;

const captionOf = (title: string, rowCount: number): string =>
  rowCount <= rowsMax ? title : `${title}: the first ${rowsMax} of ${rowCount} rows`;

/** The values of the chart as text, for readers of the screen. */
export function ValuesTable({ result: newest, title }: ValuesTableProps) {
  const result = useDeferredValue(newest);
  const columns = shownColumns(result, "UTC");
  return (
    <div className={styles.values}>
      <table data-testid="values">
        <caption>{captionOf(title, result.rows.length)}</caption>
        <thead>
          <tr>
            {columns.map(({ column }) => (
              <th key={column.name} scope="col">
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {result.rows.slice(0, rowsMax).map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a result have no other key
            <tr key={at}>
              {columns.map(({ column, index }) => (
                <td key={column.name}>{exactText(row[index] ?? null, column) || "–"}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
