import { filterLabel } from "../filter/operators.js";
import { type Aggregate, type BuiltIn, isRatio, ofAllRows, plainName } from "./aggregate.js";

/** `count`, `p95 latency_us`, `sum bytes per minute`, `count where status ≥ 500`, `sum bytes ÷ count`, or the alias. */
export function aggregateLabel(spec: Aggregate): string {
  if (spec.as !== undefined) return spec.as;
  if (isRatio(spec))
    return ratioWords(spec.percent, aggregateLabel(spec.of), aggregateLabel(spec.by));
  if (spec.columns !== undefined) return `${spec.fn}(${spec.columns.join(", ")})`;
  return withCondition(plainLabel(spec), spec);
}

/** The name of its result column. */
export function numberName(spec: Aggregate): string {
  if (spec.as !== undefined) return spec.as;
  if (isRatio(spec)) return ratioWords(spec.percent, numberName(spec.of), numberName(spec.by));
  if (spec.columns !== undefined) return plainName(spec);
  return withCondition(plainName(ofAllRows(spec)), spec);
}

function plainLabel(spec: BuiltIn): string {
  const fn =
    spec.fn === "percentile" ? `p${spec.p}` : spec.fn === "count.raw" ? "stored rows" : spec.fn;
  const column = spec.column === undefined ? "" : ` ${spec.column}`;
  return `${fn}${column}${spec.per === undefined ? "" : ` per ${spec.per}`}`;
}

const withCondition = (text: string, { where }: BuiltIn): string =>
  where === undefined ? text : `${text} where ${filterLabel(where)}`;

const ratioWords = (percent: true | undefined, of: string, by: string): string =>
  percent === true ? `${of}, % of ${by}` : `${of} ÷ ${by}`;

/** Whether stacking the groups of it means something. */
export const isAdditive = (spec: Aggregate): boolean =>
  spec.columns === undefined && ["count", "count.raw", "sum"].includes(spec.fn);
