import { type ResultRow, type ResultValue, sampleRateColumn } from "@hadal/sdk";
import { Braces, Check, Diff, Ellipsis, ListPlus, Minus, Plus } from "lucide-react";
import { useState } from "react";
import { formatExact } from "../../../format/number.js";
import type { OnIntent } from "../../kit/answer/intent.js";
import {
  cellText,
  isTimeColumn,
  markOf,
  rowJson,
  type ShownColumn,
} from "../../kit/rows/rowColumns.js";
import { DetailValue } from "./DetailValue.js";
import styles from "./RowsView.module.css";
import { filterOfValue, whatIsAsked } from "./rowFilters.js";

export interface RowDetailProps {
  readonly columns: readonly ShownColumn[];
  readonly row: ResultRow;
  /** The row that others are compared with; null: none. */
  readonly base: ResultRow | null;
  readonly isBase: boolean;
  readonly searched: ReadonlyMap<string, readonly string[]>;
  readonly timeZone: string;
  readonly onBase: () => void;
  readonly onIntent: OnIntent;
}

/** Rows this far to either side are around a row. */
const aroundMs = 10_000;

/** Every value of one row, whole: sets as tags, vectors as lines; against another row what differs. */
export function RowDetail(props: RowDetailProps) {
  const { columns, row, base, timeZone, searched, onIntent } = props;
  return (
    <div className={styles.detail} data-testid="row-detail" data-compared={base !== null}>
      <DetailTools {...props} />
      <dl className={styles.pairs}>
        {columns.map((shown) => {
          const { column, index } = shown;
          const value = row[index] ?? null;
          const text = cellText(value, column, timeZone);
          const other = base === null ? null : cellText(base[index] ?? null, column, timeZone);
          return (
            <div
              key={column.name}
              className={styles.pair}
              data-differs={other !== null && other !== text}
              data-same={other === text}
            >
              <dt>{column.name}</dt>
              <dd>
                <ValueTools shown={shown} value={value} onIntent={onIntent} />
                <DetailValue
                  value={value}
                  column={column}
                  text={text}
                  searched={searched.get(column.name) ?? []}
                  onIntent={onIntent}
                />
              </dd>
              {other !== null && <dd className={styles.other}>{other === text ? "" : other}</dd>}
            </div>
          );
        })}
      </dl>
    </div>
  );
}

function DetailTools({ columns, row, isBase, onBase, onIntent }: RowDetailProps) {
  const [copied, setCopied] = useState(false);
  const timeAt = columns.find(({ column }) => isTimeColumn(column))?.index;
  const timeMs = timeAt === undefined ? null : Number(row[timeAt]);
  const weightAt = columns.find(({ column }) => column.name === sampleRateColumn)?.index;
  const weight = weightAt === undefined ? null : (row[weightAt] ?? null);
  const copy = async (): Promise<void> => {
    await navigator.clipboard?.writeText(rowJson(columns, row));
    setCopied(true);
  };
  return (
    <div className={styles.tools} role="toolbar" aria-label="This row">
      {weight !== null && typeof weight !== "object" && String(weight) !== "1" && (
        <span className={styles.weight} data-testid="row-weight">
          1 row = {formatExact(weight)} events
        </span>
      )}
      {timeMs !== null && Number.isFinite(timeMs) && (
        <button
          type="button"
          className={styles.tool}
          data-testid="row-around"
          title="Rows within 10 seconds of this one, with the same filters"
          onClick={() =>
            onIntent({ kind: "zoom", fromMs: timeMs - aroundMs, toMs: timeMs + aroundMs })
          }
        >
          <ListPlus size={13} /> rows around it
        </button>
      )}
      <button
        type="button"
        className={styles.tool}
        data-testid="row-base"
        aria-pressed={isBase}
        title="Unfold another row to see what differs from this one"
        onClick={onBase}
      >
        <Diff size={13} /> {isBase ? "compared with" : "compare with this"}
      </button>
      <button
        type="button"
        className={styles.tool}
        data-testid="row-json"
        title="Copy the row as JSON"
        onClick={() => void copy()}
        onBlur={() => setCopied(false)}
      >
        {copied ? <Check size={13} /> : <Braces size={13} />} {copied ? "copied" : "JSON"}
      </button>
    </div>
  );
}

interface ValueToolsProps {
  readonly shown: ShownColumn;
  readonly value: ResultValue;
  readonly onIntent: OnIntent;
}

/** Only this, not this, and the menu of everything else. */
function ValueTools({ shown: { column }, value, onIntent }: ValueToolsProps) {
  const filter = filterOfValue(value, column);
  const { name } = column;
  const what = whatIsAsked(value, column);
  return (
    <span className={styles.valueTools}>
      {filter !== null && (
        <>
          <button
            type="button"
            aria-label={`Only rows with this ${name}`}
            title={`Only ${what}`}
            onClick={() => onIntent({ kind: "filter", filters: [filter], exclude: false })}
          >
            <Plus size={12} />
          </button>
          <button
            type="button"
            aria-label={`Not rows with this ${name}`}
            title={`Not ${what}`}
            onClick={() => onIntent({ kind: "filter", filters: [filter], exclude: true })}
          >
            <Minus size={12} />
          </button>
        </>
      )}
      <button
        type="button"
        aria-label={`What to do with ${name}`}
        title="More…"
        onClick={(event) => {
          event.stopPropagation();
          const { clientX: x, clientY: y } = anchorOf(event);
          onIntent({ kind: "pick", mark: { ...markOf(value, column), x, y } });
        }}
      >
        <Ellipsis size={12} />
      </button>
    </span>
  );
}

/** A press of a key has no pointer: the menu opens at the button. */
function anchorOf(event: React.MouseEvent<HTMLElement>): { clientX: number; clientY: number } {
  if (event.clientX !== 0 || event.clientY !== 0) return event;
  const box = event.currentTarget.getBoundingClientRect();
  return { clientX: box.left, clientY: box.bottom };
}
