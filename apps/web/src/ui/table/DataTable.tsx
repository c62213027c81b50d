import type { ReactNode } from "react";
import styles from "./DataTable.module.css";

export interface DataColumn<Row> {
  readonly key: string;
  readonly head: ReactNode;
  readonly title?: string;
  readonly align?: "right";
  /** Hidden in a narrow window. */
  readonly wideOnly?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** Absent: the table cannot be sorted by it. */
  readonly sort?: {
    readonly state: "ascending" | "descending" | "none";
    readonly onSort: () => void;
  };
}

export interface DataTableProps<Row> {
  readonly label: string;
  readonly testId?: string;
  readonly rowTestId?: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Shown when there are no rows. */
  readonly empty?: ReactNode;
}

/** A table of a few dozen rows, all rendered. It scrolls when it is wider than the page. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, testId, rowTestId, columns, rows, rowKey, empty } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by key
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      <table className={styles.table} data-testid={testId} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                {...cellProps(column)}
                scope="col"
                title={column.title}
                {...sortProps(column)}
              >
                <Head column={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.length === 0 && empty !== undefined && (
            <tr>
              <td colSpan={columns.length} className={styles.empty}>
                {empty}
              </td>
            </tr>
          )}
          {rows.map((row) => (
            <tr key={rowKey(row)} data-testid={rowTestId}>
              {columns.map((column) => (
                <td key={column.key} {...cellProps(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Head<Row>({ column }: { readonly column: DataColumn<Row> }) {
  const { sort, head } = column;
  if (sort === undefined) return head;
  const arrow = sort.state === "none" ? "" : sort.state === "ascending" ? " ↑" : " ↓";
  return (
    <button type="button" className={styles.sort} onClick={sort.onSort}>
      {head}
      <span aria-hidden="true">{arrow}</span>
    </button>
  );
}

const cellProps = <Row,>({ align, wideOnly }: DataColumn<Row>) => ({
  "data-align": align,
  "data-wide": wideOnly,
});
const sortProps = <Row,>({ sort }: DataColumn<Row>) =>
  sort === undefined ? {} : { "aria-sort": sort.state };
