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

/** A column of a view's own, between the names and the numbers. */
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
  /** What all rows come to: the last line, and what shares are of. */
  readonly whole?: GroupTotal | null;
  readonly shares?: boolean;
  /** Of the lines that the colours stand for. */
  readonly toggles?: LineToggles;
}

/** Groups and their numbers; with a comparison what they were, and how much they changed. The table view and the legend. */
export function GroupTable(props: GroupTableProps) {
  const { totals, measures, hues, onIntent, onPoint, between = [], whole = null, toggles } = props;
  const { columns, measureAt } = groupTableColumns(props);
  const largest = measures.map((_, m) =>
    // Beside nothing else a bar says nothing.
    totals.length === 1
      ? 0
      : totals.reduce((max, total) => Math.max(max, asNumber(total.values[m] ?? null) ?? 0), 0),
  );
  const pick = (row: number, column: number, x: number, y: number): void => {
    const total = totals[row];
    if (total === undefined) return;
    const at = measureAt(column);
    // A name stands for itself, a number for its whole group.
    const isName = column < Math.max(1, props.groupColumns.length);
    const group = isName ? total.group.slice(column, column + 1) : total.group;
    const name = labelOfCell(
      total.group[Math.min(column, total.group.length - 1)] ?? { value: null },
    );
    const text = at === null ? name : numberText(total, at, { measures, form: "exact" });
    const { noFilter, label } = total;
    const what = noFilter === undefined ? { group } : { group: [], noFilter, label };
    onIntent({ kind: "pick", mark: { ...what, text, x, y } });
  };
  const renderCell = (row: number, column: number) => {
    const total = totals[row];
    if (total === undefined) return null;
    const at = measureAt(column);
    const own = between[column - Math.max(1, props.groupColumns.length)];
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
  };
  const renderFoot = (column: number) => {
    const at = measureAt(column);
    if (whole === null) return null;
    if (at === null) return column === 0 ? whole.label : null;
    return <NumberCell total={whole} at={at} measures={measures} whole={whole} largest={0} />;
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
      onCell={pick}
      renderCell={renderCell}
      renderFoot={whole === null ? undefined : renderFoot}
    />
  );
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

/** A long name is cut in its middle: names that begin alike differ at their ends. */
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

/** How far the number may be off, quietly beside it. */
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
