import { type CSSProperties, useMemo, useState } from "react";
import { formatChange, formatShare } from "../../../format/change.js";
import { shortenName } from "../../../format/name.js";
import { formatMeasure } from "../../../format/value.js";
import { type TableColumn, VirtualTable } from "../../../ui/table/VirtualTable.js";
import { baseNameOf, type ChartMeasure } from "../../kit/answer/series.js";
import { changeOf } from "../../kit/answer/totals.js";
import table from "../../kit/groups/GroupTable.module.css";
import { exactAmount, nameOfFrame, shareOf } from "./flameWords.js";
import type { FunctionTotal } from "./functionTotals.js";

export interface FunctionTableProps {
  readonly functions: readonly FunctionTotal[];
  readonly whole: number;
  readonly measure: ChartMeasure;
  readonly compared: boolean;
  readonly onPoint: (name: string | null) => void;
  readonly onPick: (one: FunctionTotal, x: number, y: number) => void;
}

type Part = "name" | "total" | "share" | "self" | "was" | "change";

interface FunctionSort {
  readonly by: Part;
  readonly desc: boolean;
}

/** Every function once, with its total over all callers. */
export function FunctionTable(props: FunctionTableProps) {
  const { functions, whole, measure, compared, onPoint, onPick } = props;
  const [sort, setSort] = useState<FunctionSort>({ by: "total", desc: true });
  const sorted = useMemo(() => sortFunctions(functions, sort), [functions, sort]);
  const parts: readonly Part[] = [
    ...(["name", "total", "share", "self"] as const),
    ...(compared ? (["was", "change"] as const) : []),
  ];
  const columns = parts.map((part): TableColumn => {
    const mine = sort.by === part;
    const direction = sort.desc ? ("descending" as const) : ("ascending" as const);
    return {
      key: part,
      head: headOf(part, measure),
      track: part === "name" ? "minmax(150px, 1fr)" : "minmax(84px, 0.25fr)",
      align: part === "name" ? "left" : "right",
      sort: {
        state: mine ? direction : "none",
        onSort: () => setSort({ by: part, desc: mine ? !sort.desc : part !== "name" }),
      },
    };
  });
  return (
    <VirtualTable
      label="Functions"
      testId="legend"
      rowTestId="legend-row"
      columns={columns}
      rowCount={sorted.length}
      rowKey={(index) => sorted[index]?.name ?? String(index)}
      onPoint={(index) => onPoint(index === null ? null : (sorted[index]?.name ?? null))}
      onCell={(row, _column, x, y) => {
        const one = sorted[row];
        if (one !== undefined) onPick(one, x, y);
      }}
      renderCell={(row, column) => {
        const one = sorted[row];
        const part = parts[column];
        if (one === undefined || part === undefined) return null;
        return <PartCell one={one} part={part} whole={whole} measure={measure} />;
      }}
    />
  );
}

interface PartCellProps {
  readonly one: FunctionTotal;
  readonly part: Part;
  readonly whole: number;
  readonly measure: ChartMeasure;
}

function PartCell({ one, part, whole, measure }: PartCellProps) {
  if (part === "name") {
    const name = nameOfFrame(one.name);
    return (
      <span className={table.name} title={name.slice(0, 2_000)}>
        <span className={table.nameText}>{shortenName(name, 70)}</span>
      </span>
    );
  }
  if (part === "share") return <>{formatShare(shareOf(one.total, whole))}</>;
  if (part === "change") {
    const change = changeOf(one.total, one.was);
    const direction = one.total > one.was ? "more" : "less";
    return (
      <span
        className={table.number}
        data-change={one.unsure || change === 0 ? undefined : direction}
        data-unsure={one.unsure || undefined}
        title={one.unsure ? "within the error bars" : undefined}
      >
        {formatChange(change)}
      </span>
    );
  }
  const value = one[part];
  const fill = part === "total" ? shareOf(value, whole) * 100 : 0;
  return (
    <span
      className={table.number}
      data-part={part === "was" ? "compare" : "value"}
      title={exactAmount(value, measure)}
      style={{ "--fill": `${Math.min(100, fill).toFixed(1)}%` } as CSSProperties}
    >
      {formatMeasure(value, measure.measure)}
    </span>
  );
}

function headOf(part: Part, measure: ChartMeasure): string {
  const heads = {
    name: "function",
    share: "of all",
    self: "itself",
    was: baseNameOf(measure),
    change: "Δ %",
  };
  return part === "total" ? shortenName(measure.label, 24) : heads[part];
}

function sortFunctions(
  functions: readonly FunctionTotal[],
  { by, desc }: FunctionSort,
): readonly FunctionTotal[] {
  const sign = desc ? -1 : 1;
  if (by === "name") {
    return functions.toSorted((a, b) => sign * (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }
  // Without a base the change has no percentage: it is the largest.
  const keyOf = (one: FunctionTotal): number => {
    if (by !== "change") return one[by === "share" ? "total" : by];
    const change = changeOf(one.total, one.was);
    return typeof change === "number" ? change : Number.POSITIVE_INFINITY;
  };
  return functions.toSorted((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    return left === right ? 0 : sign * (left < right ? -1 : 1);
  });
}
