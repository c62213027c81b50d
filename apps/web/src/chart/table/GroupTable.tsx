import type { CSSProperties } from "react";
import { formatChange } from "../../format/change.js";
import { shortenName } from "../../format/name.js";
import { formatMeasure, formatMeasureExact } from "../../format/value.js";
import { type TableColumn, VirtualTable } from "../../ui/VirtualTable.js";
import type { OnIntent } from "../intent.js";
import { asNumber, type ChartMeasure, labelOfValue } from "../series.js";
import { changeOf, differenceOf, type GroupTotal } from "../totals.js";
import styles from "./GroupTable.module.css";

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
}

type Part = "value" | "compare" | "delta" | "delta_pct";

interface MeasureColumn {
  readonly m: number;
  readonly part: Part;
}

/** Groups and their numbers; with a comparison what they were, and how much they changed. The table view and the legend. */
export function GroupTable(props: GroupTableProps) {
  const { totals, groupColumns, measures, compared, sort, onIntent, onPoint } = props;
  const parts: readonly Part[] = compared ? ["value", "compare", "delta", "delta_pct"] : ["value"];
  const measureColumns = measures.flatMap((_, m) =>
    parts.map((part): MeasureColumn => ({ m, part })),
  );
  const sortOf = (by: string, descFirst: boolean) => ({
    state:
      sort.by !== by
        ? ("none" as const)
        : sort.desc
          ? ("descending" as const)
          : ("ascending" as const),
    onSort: () => onIntent({ kind: "sort", by, desc: sort.by === by ? !sort.desc : descFirst }),
  });
  const nameColumns: TableColumn[] =
    groupColumns.length === 0
      ? [{ key: "all", head: "", track: "minmax(120px, 1fr)", align: "left" }]
      : groupColumns.map((column) => ({
          key: `group ${column}`,
          head: shortenName(column, 32),
          title: column,
          track: "minmax(130px, 1fr)",
          align: "left",
          sort: sortOf(column, false),
        }));
  const columns = [
    ...nameColumns,
    ...measureColumns.map(({ m, part }): TableColumn => {
      const measure = measures[m];
      const name = part === "value" ? (measure?.name ?? "") : `${measure?.name}.${part}`;
      const head = headOf(measure?.label ?? "", part);
      return {
        key: name,
        head: shortenName(head, 30),
        title: part === "value" ? head : `${measure?.label}: ${head}`,
        track: part === "value" ? "minmax(112px, 0.5fr)" : "96px",
        align: "right",
        sort: sortOf(name, true),
      };
    }),
  ];
  const largest = measures.map((_, m) =>
    totals.reduce((max, total) => Math.max(max, asNumber(total.values[m] ?? null) ?? 0), 0),
  );
  const measureAt = (column: number) => measureColumns[column - nameColumns.length];

  return (
    <VirtualTable
      label={props.label}
      testId={props.testId}
      rowTestId={props.rowTestId}
      columns={columns}
      rowCount={totals.length}
      rowKey={(index) => totals[index]?.key ?? String(index)}
      {...(onPoint === undefined
        ? {}
        : { onPoint: (index) => onPoint(index === null ? null : (totals[index]?.key ?? null)) })}
      onCell={(row, column, x, y) => {
        const total = totals[row];
        if (total === undefined) return;
        const at = measureAt(column);
        const group = at === undefined ? total.group.slice(column, column + 1) : total.group;
        const text =
          at === undefined
            ? labelOfValue(group[0]?.value ?? null)
            : partText(total, at, measures, "exact");
        onIntent({ kind: "pick", mark: { group, text, x, y } });
      }}
      renderCell={(row, column) => {
        const total = totals[row];
        if (total === undefined) return null;
        const at = measureAt(column);
        if (at === undefined) {
          return (
            <NameCell
              total={total}
              column={column}
              hue={column === 0 ? (props.hues[row] ?? null) : null}
            />
          );
        }
        return (
          <NumberCell total={total} at={at} measures={measures} largest={largest[at.m] ?? 0} />
        );
      }}
    />
  );
}

interface NameCellProps {
  readonly total: GroupTotal;
  readonly column: number;
  readonly hue: number | null;
}

function NameCell({ total, column, hue }: NameCellProps) {
  const cell = total.group[column];
  const name = cell === undefined ? total.label : labelOfValue(cell.value);
  return (
    <span className={styles.name} title={name}>
      {hue !== null && (
        <i className={styles.swatch} style={{ background: `var(--series-${hue})` }} />
      )}
      <span data-missing={cell?.value === null} className={styles.nameText}>
        {shortenName(name, 60)}
      </span>
    </span>
  );
}

interface NumberCellProps {
  readonly total: GroupTotal;
  readonly at: MeasureColumn;
  readonly measures: readonly ChartMeasure[];
  readonly largest: number;
}

function NumberCell({ total, at, measures, largest }: NumberCellProps) {
  const value = asNumber(total.values[at.m] ?? null);
  const difference = asNumber(
    differenceOf(total.values[at.m] ?? null, total.compare[at.m] ?? null),
  );
  const change = at.part === "delta" || at.part === "delta_pct" ? Math.sign(difference ?? 0) : 0;
  const fill =
    at.part === "value" && value !== null && value > 0 && largest > 0 ? value / largest : 0;
  return (
    <span
      className={styles.number}
      data-part={at.part}
      data-change={change > 0 ? "more" : change < 0 ? "less" : undefined}
      title={partText(total, at, measures, "exact")}
      style={{ "--fill": `${(fill * 100).toFixed(1)}%` } as CSSProperties}
    >
      {partText(total, at, measures, "short")}
    </span>
  );
}

function partText(
  total: GroupTotal,
  { m, part }: MeasureColumn,
  measures: readonly ChartMeasure[],
  form: "short" | "exact",
): string {
  const measure = measures[m]?.measure ?? {};
  const format = form === "short" ? formatMeasure : formatMeasureExact;
  const [value, base] = [total.values[m] ?? null, total.compare[m] ?? null];
  if (part === "value") return format(value, measure);
  if (part === "compare") return format(base, measure);
  if (value === null && base === null) return "–";
  if (part === "delta_pct") return formatChange(changeOf(value, base));
  const difference = differenceOf(value, base);
  const sign = difference !== null && Number(difference) > 0 ? "+" : "";
  return `${sign}${format(difference, measure)}`;
}

function headOf(label: string, part: Part): string {
  if (part === "value") return label;
  return part === "compare" ? "was" : part === "delta" ? "Δ" : "Δ %";
}
