import type { MouseEvent, ReactNode } from "react";
import { formatChange } from "../../../format/change.js";
import { formatBounded, formatErrorBar } from "../../../format/errorBar.js";
import { shortenName } from "../../../format/name.js";
import { formatMeasure, formatMeasureExact } from "../../../format/value.js";
import { asNumber, baseNameOf, type ChartMeasure } from "../../kit/answer/series.js";
import { changeOf } from "../../kit/answer/totals.js";
import type { AmountScale } from "../../kit/paint/amountScale.js";
import { type Shades, toneOf } from "../../kit/paint/shade.js";
import type { Pivot, PivotCell, PivotHead } from "./buildPivot.js";
import styles from "./PivotGrid.module.css";
import { useGridCursor } from "./useGridCursor.js";

export interface PivotGridProps {
  readonly pivot: Pivot;
  readonly names: readonly string[];
  readonly measure: ChartMeasure;
  readonly compared: boolean;
  readonly shades: Shades;
  readonly scale: AmountScale;
  /** Asks for the menu of what crosses here: a row, a column, both or neither. */
  readonly onPick: (heads: readonly PivotHead[], text: string, x: number, y: number) => void;
}

/** Rows by columns, each cell in the colour of its number, totals at the ends. */
export function PivotGrid(props: PivotGridProps) {
  const { pivot, names, measure, compared, onPick } = props;
  const { rows, columns } = pivot;
  const cursor = useGridCursor(rows.length + 2, columns.length + 2);
  /** What every cell has, whatever it shows. */
  const cellProps = (row: number, column: number, heads: readonly PivotHead[], text: string) => ({
    "data-at": `${row}:${column}`,
    tabIndex: cursor.isAt(row, column) ? 0 : -1,
    onClick: (event: MouseEvent<HTMLElement>) => {
      const box = event.currentTarget.getBoundingClientRect();
      // A key has no place: the menu belongs below its cell.
      const byKey = event.detail === 0;
      onPick(
        heads,
        text,
        byKey ? box.left + 12 : event.clientX,
        byKey ? box.bottom : event.clientY,
      );
    },
  });
  const exact = (cell: PivotCell | null) => formatMeasureExact(cell?.now ?? null, measure.measure);
  const totalCell = (
    row: number,
    column: number,
    head: PivotHead | null,
    cell: PivotCell | null,
  ) => (
    <td
      key="total"
      className={styles.total}
      title={titleOf(cell, measure, compared)}
      {...cellProps(row, column, head === null ? [] : [head], exact(cell))}
    >
      <CellText cell={cell} measure={measure} compared={compared} />
    </td>
  );
  return (
    <div className={styles.scroll}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are walked and touched
        role="grid"
        className={styles.grid}
        aria-label={`${measure.label} by ${names.join(" and ")}`}
        data-testid="pivot"
        onKeyDown={cursor.onKeyDown}
      >
        <thead>
          <tr>
            <th className={styles.corner} {...cellProps(0, 0, [], names.join(" × "))}>
              {names.map((name) => shortenName(name, 20)).join(" × ")}
            </th>
            {columns.map((column, c) => (
              <th
                key={column.key}
                scope="col"
                title={column.label.slice(0, 2_000)}
                {...cellProps(0, c + 1, [column], column.label)}
              >
                {shortenName(column.label, 22)}
              </th>
            ))}
            <th scope="col" {...cellProps(0, columns.length + 1, [], "all")}>
              all
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, r) => (
            <tr key={row.key} data-testid="pivot-row">
              <th
                scope="row"
                title={row.label.slice(0, 2_000)}
                {...cellProps(r + 1, 0, [row], row.label)}
              >
                {shortenName(row.label, 36)}
              </th>
              {columns.map((column, c) => {
                const cell = pivot.cellAt(row, column);
                return (
                  <td
                    key={column.key}
                    title={titleOf(cell, measure, compared)}
                    style={shadeOf(cell, props)}
                    {...cellProps(r + 1, c + 1, [row, column], exact(cell))}
                  >
                    <CellText cell={cell} measure={measure} compared={compared} />
                  </td>
                );
              })}
              {totalCell(r + 1, columns.length + 1, row, row.total)}
            </tr>
          ))}
          <tr>
            <th scope="row" {...cellProps(rows.length + 1, 0, [], "all")}>
              all
            </th>
            {columns.map((column, c) => (
              <TotalOf key={column.key}>
                {totalCell(rows.length + 1, c + 1, column, column.total)}
              </TotalOf>
            ))}
            {totalCell(rows.length + 1, columns.length + 1, null, pivot.total)}
          </tr>
        </tbody>
      </table>
    </div>
  );
}

/** A key for a cell that is made elsewhere. */
const TotalOf = ({ children }: { readonly children: ReactNode }) => children;

interface CellTextProps {
  readonly cell: PivotCell | null;
  readonly measure: ChartMeasure;
  readonly compared: boolean;
}

function CellText({ cell, measure, compared }: CellTextProps) {
  if (cell === null || (cell.now === null && cell.was === null)) {
    return <span className={styles.none}>·</span>;
  }
  const change = changeOf(cell.now, cell.was);
  return (
    <>
      {formatBounded(cell.now, measure.measure, formatMeasure)}
      {compared && (
        <small className={styles.change} data-unsure={cell.unsure}>
          {formatChange(change)}
        </small>
      )}
    </>
  );
}

function titleOf(cell: PivotCell | null, measure: ChartMeasure, compared: boolean): string {
  if (cell === null) return "no rows";
  const now = formatBounded(cell.now, measure.measure);
  const bar = formatErrorBar(cell.now, cell.interval, measure.measure);
  const was = compared
    ? `, ${baseNameOf(measure)} ${formatMeasureExact(cell.was, measure.measure)}`
    : "";
  return `${now} ${bar}`.trim() + was + (compared && cell.unsure ? ", within the error bars" : "");
}

function shadeOf(cell: PivotCell | null, { compared, shades, scale }: PivotGridProps) {
  const value = asNumber(cell?.now ?? null);
  if (cell === null || (value === null && !compared)) return {};
  const background = compared
    ? shades.difference(toneOf(cell.now, cell.was, cell.unsure))
    : shades.amount(scale.shareOf(value ?? 0));
  return { background, color: shades.inkOn(background) };
}
