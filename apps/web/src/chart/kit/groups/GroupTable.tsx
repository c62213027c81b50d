import type { CSSProperties, ReactNode } from "react";
import { formatError, formatErrorBar } from "../../../format/errorBar.js";
import { namePartsOf, shortenName } from "../../../format/name.js";
import { formatMeasure } from "../../../format/value.js";
import { VirtualTable } from "../../../ui/table/VirtualTable.js";
import type { OnIntent } from "../answer/intent.js";
import { asNumber, type ChartMeasure, labelOfCell } from "../answer/series.js";
import { differenceOf, type GroupTotal, sidesOf } from "../answer/totals.js";
import styles from "./GroupTable.module.css";
import { groupTableColumns, type MeasureColumn, type NameLength } from "./groupTableColumns.js";
import { boundOf, numberText, titleOf } from "./numberText.js";
import { type LineToggles, Swatch, SwatchButtons } from "./SwatchButtons.js";

/** A column that a view adds between the names and the numbers. */
export interface BetweenColumn {
  readonly head: string;
  readonly track: string;
  readonly align: "left" | "right";
  readonly render: (total: GroupTotal, row: number) => ReactNode;
}

export interface GroupTableProps {
  readonly label: string;
  readonly totals: readonly GroupTotal[];
  readonly groupColumns: readonly string[];
  readonly measures: readonly ChartMeasure[];
  readonly hues: readonly number[];
  readonly compared: boolean;
  readonly sort: { readonly by: string; readonly desc: boolean };
  readonly testId: string;
  readonly rowTestId: string;
  readonly onIntent: OnIntent;
  readonly onPoint?: (key: string | null) => void;
  readonly names?: NameLength;
  readonly between?: readonly BetweenColumn[];
  /** The totals of all rows: the last line, and the whole for shares. */
  readonly whole?: GroupTotal | null;
  readonly shares?: boolean;
  /** Buttons that hide the lines of a chart. */
  readonly toggles?: LineToggles;
}

/** Groups and their numbers, with a comparison also the base and the change. Used by the table view and the legend. */
export function GroupTable(props: GroupTableProps) {
  const { totals, onPoint, whole = null } = props;
  const { columns, measureAt } = groupTableColumns(props);
  const largest = largestOf(props);
  const renderFoot = (column: number) => {
    if (whole === null) return null;
    const at = measureAt(column);
    if (at === null) return column === 0 ? whole.label : null;
    return <NumberCell total={whole} at={at} measures={props.measures} whole={whole} largest={0} />;
  };
  return (
    <VirtualTable
      label={props.label}
      testId={props.testId}
      rowTestId={props.rowTestId}
      columns={columns}
      rowCount={totals.length}
      rowKey={(index) => totals[index]?.key ?? String(index)}
      onPoint={(index) => onPoint?.(index === null ? null : (totals[index]?.key ?? null))}
      onCell={(row, column, x, y) => {
        const total = totals[row];
        if (total === undefined) return;
        const mark = markOfCell(props, total, { column, at: measureAt(column) });
        props.onIntent({ kind: "pick", mark: { ...mark, x, y } });
      }}
      renderCell={(row, column) =>
        renderCell(props, { row, column, at: measureAt(column), largest })
      }
      renderFoot={whole === null ? undefined : renderFoot}
    />
  );
}

/** The largest value of each measure: the length of a full bar. The bar of a single row would mean nothing. */
const largestOf = ({ totals, measures }: GroupTableProps): readonly number[] =>
  measures.map((_, m) =>
    totals.length === 1
      ? 0
      : totals.reduce((max, total) => Math.max(max, asNumber(total.values[m] ?? null) ?? 0), 0),
  );

/** At least one: without group columns the first column is for the whole. */
const nameColumnCount = ({ groupColumns }: GroupTableProps): number =>
  Math.max(1, groupColumns.length);

interface CellPlace {
  readonly row: number;
  readonly column: number;
  /** null: the column has no number. */
  readonly at: MeasureColumn | null;
  readonly largest: readonly number[];
}

function renderCell(props: GroupTableProps, { row, column, at, largest }: CellPlace): ReactNode {
  const { totals, measures, hues, between = [], whole = null, toggles } = props;
  const total = totals[row];
  if (total === undefined) return null;
  const own = between[column - nameColumnCount(props)];
  if (own !== undefined) return own.render(total, row);
  if (at !== null) {
    const numbers = { total, at, measures, whole };
    return <NumberCell {...numbers} largest={largest[at.m] ?? 0} />;
  }
  return (
    <NameCell
      total={total}
      column={column}
      hue={column === 0 ? (hues[row] ?? null) : null}
      lettersMax={lettersMax[props.names ?? "word"]}
      toggles={toggles}
    />
  );
}

/** A name selects its own value, a number its whole group. */
function markOfCell(
  props: GroupTableProps,
  total: GroupTotal,
  { column, at }: Pick<CellPlace, "column" | "at">,
) {
  const { noFilter, label } = total;
  const isName = column < nameColumnCount(props);
  const group = isName ? total.group.slice(column, column + 1) : total.group;
  const cell = total.group[Math.min(column, total.group.length - 1)] ?? { value: null };
  const text =
    at === null
      ? labelOfCell(cell)
      : numberText(total, at, { measures: props.measures, form: "exact" });
  return noFilter === undefined ? { group, text } : { group: [], noFilter, label, text };
}

interface NameCellProps {
  readonly total: GroupTotal;
  readonly column: number;
  readonly hue: number | null;
  readonly lettersMax: number;
  readonly toggles: LineToggles | undefined;
}

const lettersMax: Readonly<Record<NameLength, number>> = { word: 60, sentence: 200 };

function NameCell({ total, column, hue, lettersMax: most, toggles }: NameCellProps) {
  const cell = total.group[column];
  const name = cell === undefined ? total.label : labelOfCell(cell);
  return (
    <span className={styles.name} title={name} data-hidden={toggles?.isDrawn(total.key) === false}>
      {hue !== null && toggles !== undefined && (
        <SwatchButtons lineKey={total.key} name={total.label} hue={hue} toggles={toggles} />
      )}
      {hue !== null && toggles === undefined && <Swatch hue={hue} />}
      <NameText text={shortenName(name, most)} isMissing={cell?.value === null} />
    </span>
  );
}

/** A long name is cut in the middle: names with a common beginning differ at the end. */
function NameText({ text, isMissing }: { readonly text: string; readonly isMissing: boolean }) {
  const [head, tail] = namePartsOf(text);
  return (
    <span data-missing={isMissing} className={styles.nameText}>
      <span>{head}</span>
      {tail}
    </span>
  );
}

interface ErrorTextProps extends Pick<NumberCellProps, "total" | "measures"> {
  readonly m: number;
}

interface NumberCellProps {
  readonly total: GroupTotal;
  readonly at: MeasureColumn;
  readonly measures: readonly ChartMeasure[];
  readonly whole: GroupTotal | null;
  readonly largest: number;
}

function NumberCell({ total, at, measures, whole, largest }: NumberCellProps) {
  const value = asNumber(total.values[at.m] ?? null);
  const sides = sidesOf(total, at.m);
  const difference = asNumber(differenceOf(sides.value, sides.base));
  const isChange = at.part === "delta" || at.part === "delta_pct";
  const unsure = isChange && total.unsure[at.m] === true;
  const isKnown = isChange && !unsure && boundOf(total, at) === null;
  const change = isKnown ? Math.sign(difference ?? 0) : 0;
  const fill =
    at.part === "value" && value !== null && value > 0 && largest > 0 ? value / largest : 0;
  return (
    <span
      className={styles.number}
      data-part={at.part}
      data-change={change > 0 ? "more" : change < 0 ? "less" : undefined}
      data-unsure={unsure || undefined}
      title={titleOf(total, at, measures, { unsure, whole })}
      style={{ "--fill": `${(fill * 100).toFixed(1)}%` } as CSSProperties}
    >
      {numberText(total, at, { measures, form: "short", whole })}
      {at.part === "value" && <ErrorText total={total} m={at.m} measures={measures} />}
    </span>
  );
}

/** The error bar beside a number. */
function ErrorText({ total, m, measures }: ErrorTextProps) {
  const value = asNumber(total.values[m] ?? null);
  const bar = total.intervals[m] ?? null;
  if (bar === null || value === null || value === 0) return null;
  const measure = measures[m]?.measure ?? {};
  const text = formatErrorBar(value, bar, measure);
  const [low, high] = bar.map((end) => formatMeasure(end, measure));
  const share = Math.max(bar[1] - value, value - bar[0]) / Math.abs(value);
  return (
    <small
      className={styles.error}
      title={`The full answer lies between ${low} and ${high} 19 times of 20`}
    >
      {text.startsWith("about") ? text : formatError(share)}
    </small>
  );
}
