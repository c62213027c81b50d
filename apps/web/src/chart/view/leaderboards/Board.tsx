import type { CSSProperties, MouseEvent } from "react";
import { formatChange, formatShare } from "../../../format/change.js";
import { formatBounded, formatErrorBar } from "../../../format/errorBar.js";
import { shortenName } from "../../../format/name.js";
import { formatCompact } from "../../../format/number.js";
import { formatMeasure, formatMeasureExact } from "../../../format/value.js";
import type { OnIntent } from "../../kit/answer/intent.js";
import { asNumber, baseNameOf, type ChartMeasure } from "../../kit/answer/series.js";
import { changeOf, type GroupTotal } from "../../kit/answer/totals.js";
import { useHeldOrder } from "../../kit/props/useHeldOrder.js";
import { filtersOfElement } from "../../kit/rows/elementFilter.js";
import styles from "./Board.module.css";
import type { BoardData } from "./boardsOf.js";

export interface BoardProps {
  readonly board: BoardData;
  readonly measure: ChartMeasure;
  readonly compared: boolean;
  /** The number over all rows; 0 where the values are no parts of it. */
  readonly whole: number;
  readonly questionKey: string;
  readonly onIntent: OnIntent;
}

const none: readonly GroupTotal[] = [];

/** One column: its top values, each with its number and a bar, and with a comparison how it changed. */
export function Board({ board, measure, compared, whole, questionKey, onIntent }: BoardProps) {
  const { column, isList, valueCount } = board;
  const totals = useHeldOrder(board.totals ?? none, { key: questionKey, final: board.final });
  const most = Math.max(0, ...totals.map(({ values }) => asNumber(values[0] ?? null) ?? 0));
  const pick = (total: GroupTotal, event: MouseEvent<HTMLElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const byKey = event.detail === 0;
    const mark = {
      group: total.group,
      ...(isList ? { filters: total.group.flatMap(filtersOfElement) } : {}),
      text: formatMeasureExact(total.values[0] ?? null, measure.measure),
      x: byKey ? box.left + 12 : event.clientX,
      y: byKey ? box.bottom : event.clientY,
    };
    onIntent({ kind: "pick", mark });
  };
  return (
    <section className={styles.board} aria-label={column} data-testid="board">
      <h3 className={styles.head} title={column}>
        <span className={styles.column}>{shortenName(column, 34)}</span>
        <small>
          {board.totals === null
            ? "…"
            : `${formatCompact(valueCount)} ${isList ? "elements" : "values"}`}
        </small>
      </h3>
      <ul className={styles.lines} aria-busy={board.totals === null}>
        {totals.map((total) => {
          const value = total.values[0] ?? null;
          const number = asNumber(value) ?? 0;
          return (
            <li key={total.key}>
              <button
                type="button"
                className={styles.line}
                data-testid="board-line"
                title={titleOf(total, measure, { compared })}
                style={{ "--fill": most > 0 ? Math.max(0, number / most) : 0 } as CSSProperties}
                onClick={(event) => pick(total, event)}
              >
                <span className={styles.name} data-missing={total.group[0]?.value === null}>
                  {shortenName(total.label, 40)}
                </span>
                <span className={styles.number}>
                  {formatBounded(value, measure.measure, formatMeasure)}
                </span>
                <ChangeOrShare total={total} compared={compared} whole={whole} />
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface ChangeOrShareProps {
  readonly total: GroupTotal;
  readonly compared: boolean;
  readonly whole: number;
}

function ChangeOrShare({ total, compared, whole }: ChangeOrShareProps) {
  const [value, base] = [total.values[0] ?? null, total.compare[0] ?? null];
  if (!compared) {
    const share = whole > 0 ? formatShare((asNumber(value) ?? 0) / whole) : "";
    return <span className={styles.share}>{share}</span>;
  }
  const unsure = total.unsure[0] === true;
  const change = changeOf(value, base);
  const isSame = change === 0 || change === null;
  const isMore = (asNumber(value) ?? 0) > (asNumber(base) ?? 0);
  return (
    <span
      className={styles.share}
      data-change={unsure || isSame ? undefined : isMore ? "more" : "less"}
    >
      {formatChange(change)}
    </span>
  );
}

function titleOf(
  total: GroupTotal,
  own: ChartMeasure,
  { compared }: Pick<BoardProps, "compared">,
): string {
  const { measure } = own;
  const [value, base] = [total.values[0] ?? null, total.compare[0] ?? null];
  const bar = total.intervals[0] ?? null;
  const was = compared ? `, ${baseNameOf(own)} ${formatMeasureExact(base, measure)}` : "";
  const unsure = compared && total.unsure[0] === true ? ", within the error bars" : "";
  const label = total.label.slice(0, 2_000);
  return `${label}: ${`${formatBounded(value, measure)} ${formatErrorBar(value, bar, measure)}`.trim()}${was}${unsure}`;
}
