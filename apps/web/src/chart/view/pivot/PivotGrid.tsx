import type { MouseEvent } from "react";
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
  /** Opens the menu of the heads that cross here: a row, a column, both or neither. */
  readonly onPick: (heads: readonly PivotHead[], text: string, x: number, y: number) => void;
}

/** A place in the grid, the row of heads and the column of heads included. */
interface GridPlace {
  readonly row: number;
  readonly column: number;
  /** The heads that cross here. */
  readonly heads: readonly PivotHead[];
}

/** The attributes that every cell has, given its place and the text of its menu. */
type CellAttributes = (
  place: GridPlace,
  text: string,
) => {
  readonly "data-at": string;
  readonly tabIndex: number;
  readonly onClick: (event: MouseEvent<HTMLElement>) => void;
};

interface GridPartProps extends PivotGridProps {
  readonly attributes: CellAttributes;
}

/** Rows by columns, each cell in the colour of its number, totals at the ends. */
export function PivotGrid(props: PivotGridProps) {
  const { pivot, names, measure, onPick } = props;
  const cursor = useGridCursor({
    rowCount: pivot.rows.length + 2,
    columnCount: pivot.columns.length + 2,
  });
  const attributes: CellAttributes = ({ row, column, heads }, text) => ({
    "data-at": `${row}:${column}`,
    tabIndex: cursor.isAt(row, column) ? 0 : -1,
    onClick: ({ currentTarget, detail, clientX, clientY }) => {
      const box = currentTarget.getBoundingClientRect();
      // A click by key has no position: the menu opens below its cell.
      const byKey = detail === 0;
      onPick(heads, text, byKey ? box.left + 12 : clientX, byKey ? box.bottom : clientY);
    },
  });
  return (
    <div className={styles.scroll}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with a keyboard cursor
        role="grid"
        className={styles.grid}
        aria-label={`${measure.label} by ${names.join(" and ")}`}
        data-testid="pivot"
        onKeyDown={cursor.onKeyDown}
      >
        <thead>
          <ColumnHeads {...props} attributes={attributes} />
        </thead>
        <tbody>
          {pivot.rows.map((head, r) => (
            <PivotRow
              key={head.key}
              {...props}
              attributes={attributes}
              head={head}
              rowIndex={r + 1}
            />
          ))}
          <TotalRow {...props} attributes={attributes} />
        </tbody>
      </table>
    </div>
  );
}

function ColumnHeads({ pivot, names, attributes }: GridPartProps) {
  const { columns } = pivot;
  const allAt = { row: 0, column: columns.length + 1, heads: [] };
  return (
    <tr>
      <th
        className={styles.corner}
        {...attributes({ row: 0, column: 0, heads: [] }, names.join(" × "))}
      >
        {names.map((name) => shortenName(name, 20)).join(" × ")}
      </th>
      {columns.map((head, c) => (
        <th
          key={head.key}
          scope="col"
          title={head.label.slice(0, 2_000)}
          {...attributes({ row: 0, column: c + 1, heads: [head] }, head.label)}
        >
          {shortenName(head.label, 22)}
        </th>
      ))}
      <th scope="col" {...attributes(allAt, "all")}>
        all
      </th>
    </tr>
  );
}

interface PivotRowProps extends GridPartProps {
  readonly head: PivotHead;
  readonly rowIndex: number;
}

function PivotRow({ head, rowIndex: row, ...props }: PivotRowProps) {
  const { pivot, attributes } = props;
  return (
    <tr data-testid="pivot-row">
      <th
        scope="row"
        title={head.label.slice(0, 2_000)}
        {...attributes({ row, column: 0, heads: [head] }, head.label)}
      >
        {shortenName(head.label, 36)}
      </th>
      {pivot.columns.map((other, c) => {
        const cell = pivot.cellAt(head, other);
        const at = { row, column: c + 1, heads: [head, other] };
        return <NumberCell key={other.key} {...props} cell={cell} at={at} />;
      })}
      <NumberCell
        {...props}
        cell={head.total}
        at={{ row, column: pivot.columns.length + 1, heads: [head] }}
        isTotal
      />
    </tr>
  );
}

function TotalRow(props: GridPartProps) {
  const { rows, columns, total } = props.pivot;
  const row = rows.length + 1;
  return (
    <tr>
      <th scope="row" {...props.attributes({ row, column: 0, heads: [] }, "all")}>
        all
      </th>
      {columns.map((head, c) => {
        const at = { row, column: c + 1, heads: [head] };
        return <NumberCell key={head.key} {...props} cell={head.total} at={at} isTotal />;
      })}
      <NumberCell
        {...props}
        cell={total}
        at={{ row, column: columns.length + 1, heads: [] }}
        isTotal
      />
    </tr>
  );
}

interface NumberCellProps extends GridPartProps {
  readonly cell: PivotCell | null;
  readonly at: GridPlace;
  /** A total has no shade. */
  readonly isTotal?: boolean;
}

function NumberCell({ cell, at, isTotal = false, ...props }: NumberCellProps) {
  const { measure, attributes } = props;
  const exact = formatMeasureExact(cell?.now ?? null, measure.measure);
  return (
    <td
      className={isTotal ? styles.total : undefined}
      style={isTotal ? undefined : shadeOf(cell, props)}
      title={titleOf(cell, props)}
      {...attributes(at, exact)}
    >
      <CellText cell={cell} shown={props} />
    </td>
  );
}

/** The number that the cells show. */
type ShownNumber = Pick<PivotGridProps, "measure" | "compared">;

interface CellTextProps {
  readonly cell: PivotCell | null;
  readonly shown: ShownNumber;
}

function CellText({ cell, shown: { measure, compared } }: CellTextProps) {
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

function titleOf(cell: PivotCell | null, { measure, compared }: ShownNumber): string {
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
    ? shades.difference(toneOf(cell))
    : shades.amount(scale.shareOf(value ?? 0));
  return { background, color: shades.inkOn(background) };
}
