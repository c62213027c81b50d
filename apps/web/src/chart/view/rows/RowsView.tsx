import type { Result, ResultColumn, ResultValue } from "@hadal/sdk";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import { shortenName } from "../../../format/name.js";
import { type TableColumn, VirtualTable } from "../../../ui/table/VirtualTable.js";
import type { OnIntent } from "../../kit/answer/intent.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import cellStyles from "../../kit/rows/cellValue.module.css";
import {
  cellText,
  exactText,
  isTimeColumn,
  markOf,
  rowKeys,
  type ShownColumn,
} from "../../kit/rows/rowColumns.js";
import { type Tone, toneOf, toneOfRow } from "../../kit/rows/valueTone.js";
import { columnsOfRows } from "./columnsOfRows.js";
import { MarkedText } from "./MarkedText.js";
import { RowDetail } from "./RowDetail.js";
import { RowStrip } from "./RowStrip.js";
import styles from "./RowsView.module.css";
import { searchedTexts } from "./searchMarks.js";
import { useHeldTail } from "./useHeldTail.js";

/** Raw rows; each unfolds to all of its values. */
export function RowsView(props: ViewProps) {
  return (
    <div className={styles.view}>
      <RowStrip {...props} />
      <HeldRows {...props} />
    </div>
  );
}

/** The table of rows. While it is hovered, focused or scrolled, new live rows wait. */
function HeldRows(props: ViewProps) {
  const { input, questionKey, rank } = props;
  // Only new rows at the top would move the others.
  const isLive = input.live && rank.desc;
  const tail = useHeldTail({ newest: input.result, questionKey, isLive });
  const { onLook } = tail;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the table inside has the roles; this box only detects use
    <div
      className={styles.tail}
      onMouseEnter={() => onLook("pointer", true)}
      onMouseLeave={() => onLook("pointer", false)}
      onFocus={() => onLook("keys", true)}
      onBlur={() => onLook("keys", false)}
      onScrollCapture={({ target }) => onLook("scroll", (target as Element).scrollTop > 0)}
    >
      <RowTable {...props} result={tail.result} />
      {tail.waiting !== null && tail.waiting.count > 0 && (
        <button
          type="button"
          className={styles.paused}
          data-testid="tail-paused"
          title="Show them"
          onClick={tail.catchUp}
        >
          Paused · {tail.waiting.isLeast ? "at least " : ""}
          {tail.waiting.count} new {tail.waiting.count === 1 ? "row" : "rows"}
        </button>
      )}
    </div>
  );
}

function RowTable(props: ViewProps & { readonly result: Result }) {
  const { result, input, query, rank, onIntent } = props;
  const { timeZone } = input;
  const { rows } = result;
  const { all, shown } = useShownColumns(props);
  const keys = useMemo(
    () => rowKeys(rows, all.find(({ column }) => isTimeColumn(column))?.index ?? 0),
    [rows, all],
  );
  const searched = useMemo(() => searchedTexts(query.filter ?? []), [query]);
  const { isUnfolded, toggle } = useUnfolded(keys);
  const base = useBaseRow(rows, keys);
  const cellAt = (row: number, column: number) => {
    const at = shown[column - 1];
    return at === undefined ? null : { ...at, value: rows[row]?.[at.index] ?? null };
  };
  const renderCell = (row: number, column: number) => {
    const cell = cellAt(row, column);
    if (cell === null)
      return <Unfold open={isUnfolded(row)} tone={toneOfRow(all, rows[row] ?? [])} />;
    const texts = searched.get(cell.column.name) ?? noTexts;
    return (
      <ValueCell value={cell.value} column={cell.column} timeZone={timeZone} searched={texts} />
    );
  };
  const renderDetail = (row: number) =>
    isUnfolded(row) && (
      <RowDetail
        columns={all}
        row={rows[row] ?? []}
        {...base.propsOf(row)}
        searched={searched}
        timeZone={timeZone}
        onIntent={onIntent}
      />
    );
  return (
    <VirtualTable
      label="Raw rows"
      testId="rows"
      rowTestId="raw-row"
      rowCount={rows.length}
      rowKey={(row) => keys[row] ?? String(row)}
      columns={rowTableColumns(shown, rank, onIntent)}
      onCell={(row, column, x, y) => {
        const cell = cellAt(row, column);
        if (cell === null) toggle(row);
        else onIntent({ kind: "pick", mark: { ...markOf(cell.value, cell.column), x, y } });
      }}
      renderCell={renderCell}
      renderDetail={renderDetail}
    />
  );
}

/** The row that unfolded rows are compared with, kept by its key while the result changes. */
function useBaseRow(rows: Result["rows"], keys: readonly string[]) {
  const [baseKey, setBaseKey] = useState<string | null>(null);
  const base = baseKey === null ? null : (rows[keys.indexOf(baseKey)] ?? null);
  return {
    propsOf(row: number) {
      const isBase = keys[row] === baseKey;
      return {
        base: isBase ? null : base,
        isBase,
        onBase: () => setBaseKey(isBase ? null : (keys[row] ?? null)),
      };
    },
  };
}

/** All columns of the rows, and the columns that the table shows. */
function useShownColumns({ result, input, options }: ViewProps & { readonly result: Result }) {
  const { timeZone, message = null } = input;
  const { columns } = options;
  return useMemo(
    () => columnsOfRows(result, { timeZone, message, columns }),
    [result, timeZone, message, columns],
  );
}

/** The unfolded rows, by key: new rows at the top change their indexes. */
function useUnfolded(keys: readonly string[]) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  return {
    isUnfolded: (row: number): boolean => unfolded.has(keys[row] ?? ""),
    toggle: (row: number): void => {
      const next = new Set(unfolded);
      const key = keys[row] ?? "";
      if (!next.delete(key)) next.add(key);
      setUnfolded(next);
    },
  };
}

function rowTableColumns(
  shown: readonly ShownColumn[],
  { desc }: { readonly desc: boolean },
  onIntent: OnIntent,
): TableColumn[] {
  const sort = {
    state: desc ? ("descending" as const) : ("ascending" as const),
    onSort: () => onIntent({ kind: "sort", by: "time", desc: !desc }),
  };
  return [
    { key: "unfold", head: "", track: "32px", align: "left" },
    ...shown.map(({ column, widthPx, grows }) => ({
      key: column.name,
      head: shortenName(column.name, 36),
      title: column.name,
      track: grows ? `minmax(${widthPx}px, 1fr)` : `${widthPx}px`,
      align:
        column.type === "int" || column.type === "decimal" ? ("right" as const) : ("left" as const),
      ...(isTimeColumn(column) && { sort }),
    })),
  ];
}

function Unfold({ open, tone }: { readonly open: boolean; readonly tone: Tone | null }) {
  return (
    <span
      className={styles.unfold}
      data-edge={tone}
      title={open ? "Fold row" : "Unfold row"}
      data-testid="unfold"
    >
      {open ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
    </span>
  );
}

interface ValueCellProps {
  readonly value: ResultValue;
  readonly column: ResultColumn;
  readonly timeZone: string;
  readonly searched: readonly string[];
}

const noTexts: readonly string[] = [];

function ValueCell({ value, column, timeZone, searched }: ValueCellProps) {
  return (
    <span
      className={cellStyles.value}
      data-missing={value === null}
      data-tone={toneOf(value, column)}
      title={exactText(value, column)}
    >
      <MarkedText text={cellText(value, column, timeZone)} searched={searched} />
    </span>
  );
}
