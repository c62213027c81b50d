import type { QueryTree } from "@hadal/sdk";
import { formatMs } from "../../../format/duration.js";
import { type DataColumn, DataTable } from "../../../ui/table/DataTable.js";
import styles from "./cluster.module.css";
import { rowsMax, type TreeRow, treeRows } from "./treeRows.js";

/** The tree of a query, drawn: who asked whom, and how long each was waited for. */
export function QueryTreeView({ tree }: { readonly tree: QueryTree }) {
  const rows = treeRows(tree);
  const longestMs = Math.max(0, ...rows.map(({ waitMs }) => waitMs ?? 0));
  return (
    <>
      <DataTable
        label="Tree of the last query"
        testId="query-tree"
        rowTestId="query-tree-node"
        columns={columnsOf(longestMs)}
        rows={rows.slice(0, rowsMax)}
        rowKey={({ key }) => key}
      />
      {rows.length > rowsMax && (
        <p className={styles.quiet}>
          The first {rowsMax} of {rows.length} lines are drawn.
        </p>
      )}
    </>
  );
}

const columnsOf = (longestMs: number): readonly DataColumn<TreeRow>[] => [
  { key: "node", head: "Asked", cell: (row) => <Node row={row} /> },
  {
    key: "wait",
    head: "Waited for",
    title: "From the question to the last answer, as whoever asked it measured",
    cell: (row) => <Wait {...{ row, longestMs }} />,
  },
  {
    key: "merge",
    head: "Merging",
    title: "Merging, cutting and encoding answers",
    align: "right",
    wideOnly: true,
    cell: ({ role, mergeMs }) => (role === "leaf" ? "–" : formatMs(mergeMs)),
  },
];

const stepWidth = 18;
/** Of a row of the table, without its line. */
const rowHeight = 34;

function Node({ row: { name, title, goesOn, isMissing, role } }: { readonly row: TreeRow }) {
  return (
    <span className={styles.node} title={title}>
      <Lines goesOn={goesOn} />
      <i className={styles.dot} data-role={role} data-missing={isMissing} />
      <span className={styles.name}>{name}</span>
    </span>
  );
}

/** From its asker to it, and past it to those that the same members asked. */
function Lines({ goesOn }: Pick<TreeRow, "goesOn">) {
  const width = goesOn.length * stepWidth;
  const middle = rowHeight / 2;
  return (
    <svg className={styles.lines} width={width} height={rowHeight} aria-hidden="true">
      {goesOn.map((isOn, i) => {
        const x = i * stepWidth + 4;
        const isOwn = i === goesOn.length - 1;
        if (!isOwn && !isOn) return null;
        return (
          <path
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
            key={i}
            d={`M${x} 0V${isOn ? rowHeight + 2 : middle}${isOwn ? `M${x} ${middle}H${width}` : ""}`}
          />
        );
      })}
    </svg>
  );
}

interface WaitProps {
  readonly row: TreeRow;
  readonly longestMs: number;
}

function Wait({ row: { role, waitMs, isMissing }, longestMs }: WaitProps) {
  if (role === "gateway") return "–";
  const text = waitMs === null ? "no answer" : formatMs(waitMs);
  return (
    <span className={styles.wait}>
      <span className={styles.track}>
        {waitMs !== null && longestMs > 0 && (
          <i className={styles.time} style={{ width: `${(waitMs / longestMs) * 100}%` }} />
        )}
      </span>
      <span data-missing={isMissing}>{text}</span>
    </span>
  );
}
