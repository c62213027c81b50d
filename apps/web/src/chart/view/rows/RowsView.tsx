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
  differingColumns,
  exactText,
  isTimeColumn,
  markOf,
  rowKeys,
  type ShownColumn,
  shownColumns,
  withMessageFirst,
} from "../../kit/rows/rowColumns.js";
import { type Tone, toneOf, toneOfRow } from "../../kit/rows/valueTone.js";
import { MarkedText } from "./MarkedText.js";
import { RowDetail } from "./RowDetail.js";
import { RowStrip } from "./RowStrip.js";
import styles from "./RowsView.module.css";
import { searchedTexts } from "./searchMarks.js";
import { useHeldTail } from "./useHeldTail.js";

/** The rows themselves; each unfolds to all of its values. */
export function RowsView(props: ViewProps) {
  return (
    <div className={styles.view}>
      <RowStrip {...props} />
      <HeldRows {...props} />
    </div>
  );
}

/** The table of them; while somebody looks at it, live rows wait above. */
function HeldRows(props: ViewProps) {
  const { input, questionKey, rank } = props;
  // Only where new rows come in above the others do they push them away.
  const tail = useHeldTail(input.result, questionKey, input.live && rank.desc);
  const { onLook } = tail;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the table in it has the roles; this box only knows that somebody looks
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
  const [baseKey, setBaseKey] = useState<string | null>(null);
  const base = baseKey === null ? undefined : rows[keys.indexOf(baseKey)];
  const cellAt = (row: number, column: number) => {
    const at = shown[column - 1];
    return at === undefined ? null : { ...at, value: rows[row]?.[at.index] ?? null };
  };
  const pick = (row: number, column: number, x: number, y: number): void => {
    const cell = cellAt(row, column);
    if (cell === null) toggle(row);
    else onIntent({ kind: "pick", mark: { ...markOf(cell.value, cell.column), x, y } });
  };
  return (
    <VirtualTable
      label="Raw rows"
      testId="rows"
      rowTestId="raw-row"
      rowCount={rows.length}
      rowKey={(row) => keys[row] ?? String(row)}
      columns={rowTableColumns(shown, rank.desc, onIntent)}
      onCell={pick}
      renderCell={(row, column) => {
        const cell = cellAt(row, column);
        if (cell === null)
          return <Unfold open={isUnfolded(row)} tone={toneOfRow(all, rows[row] ?? [])} />;
        return (
          <ValueCell
            value={cell.value}
            column={cell.column}
            timeZone={timeZone}
            searched={searched.get(cell.column.name) ?? noTexts}
          />
        );
      }}
      renderDetail={(row) =>
        isUnfolded(row) && (
          <RowDetail
            columns={all}
            row={rows[row] ?? []}
            base={keys[row] === baseKey ? null : (base ?? null)}
            isBase={keys[row] === baseKey}
            searched={searched}
            timeZone={timeZone}
            onBase={() => setBaseKey(keys[row] === baseKey ? null : (keys[row] ?? null))}
            onIntent={onIntent}
          />
        )
      }
    />
  );
}

/** All columns of the rows, and those that the table has. */
function useShownColumns({ result, input, options }: ViewProps & { readonly result: Result }) {
  const { timeZone, message = null } = input;
  const { columns } = options;
  return useMemo(() => {
    // Columns that were chosen stand as they were chosen.
    const place = { name: message, isChosen: columns === undefined };
    const all = withMessageFirst(shownColumns(result, timeZone), result.rows, place);
    return { all, shown: columns === "differing" ? differingColumns(all, result.rows) : all };
  }, [result, timeZone, message, columns]);
}

/** Which rows are unfolded, by what they keep when others push them down. */
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
  newestFirst: boolean,
  onIntent: OnIntent,
): TableColumn[] {
  const sort = {
    state: newestFirst ? ("descending" as const) : ("ascending" as const),
    onSort: () => onIntent({ kind: "sort", by: "time", desc: !newestFirst }),
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
