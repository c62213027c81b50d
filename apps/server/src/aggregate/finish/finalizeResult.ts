import type { ResultColumn, ResultRow, ResultType, ResultValue } from "@hadal/sdk";
import { atOnce, type Steps } from "../../base/schedule/steps.js";
import { edgesOfBuckets } from "../../plan/bucket/timeBuckets.js";
import type { ComparePart, FinishAggregate, FinishPlan } from "../../plan/query/finishPlan.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import type { Evidence } from "../estimate/leafEvidence.js";
import { type JoinedGroups, joinSides } from "../key/joinSides.js";
import type { PartialResult, PartialSide } from "../partial/partialResult.js";
import { keyCell, numberCell } from "../partial/resultCells.js";
import { chooseSteps } from "./chooseRows.js";
import type { FinalizedResult } from "./finalizedResult.js";
import { finalizeSampleSteps } from "./finalizeSample.js";
import { type FinishedValues, finishValues } from "./finishedValues.js";
import type { IntervalContext } from "./intervalContext.js";
import { intervalSteps } from "./resultIntervals.js";

/** Finishes a small result, or one that blocks no other work, at once; see {@link finalizeSteps}. */
export function finalizeResult(...given: Parameters<typeof finalizeSteps>): FinalizedResult {
  return atOnce(finalizeSteps(...given));
}

/** What is known of an answer beside its merged states. */
interface FinalizeOptions {
  /** Rows that passed the filter, for raw rows. Default: 0. */
  readonly rowsMatched?: number;
  /** Default: all leaves answered. */
  readonly evidence?: Evidence;
  /** The sides over all time buckets. Default: unknown. */
  readonly series?: readonly PartialSide[] | null;
  /** Default: no rows were thinned by a key. */
  readonly thinnedByKey?: IntervalContext["thinnedByKey"];
}

/** Finishes merged states step by step: averages, percentiles, comparison, order, limit. */
export function* finalizeSteps(
  merged: PartialResult,
  { resolved, finish }: SplitQuery,
  options: FinalizeOptions = {},
): Steps<FinalizedResult> {
  const { rowsMatched = 0, evidence = { kind: "whole" }, series = null } = options;
  const { thinnedByKey = null } = options;
  if (finish.sample !== null && merged.sample !== null) {
    return yield* finalizeSampleSteps(merged.sample, finish.sample, finish, rowsMatched);
  }
  const { sides } = merged;
  const joined = joinSides(sides, resolved);
  yield;
  const values = finishValues({ sides, joined, resolved }, finish.aggregates);
  const chosen = yield* chooseSteps(
    { sides, joined, values, seriesSides: series },
    resolved,
    finish,
  );
  yield;
  const shown = chosen.groups.subarray(finish.offset);
  const columns = [
    ...groupColumns(finish, joined, resolved),
    ...aggregateColumns(finish.aggregates, values, {
      compare: sides.length > 1,
      areMost: shown.length * mostShare >= joined.count,
    }),
  ];
  const rows = yield* rowsOf(columns, shown);
  const mostCut = sides.reduce((most, { groupsCut }) => Math.max(most, groupsCut), 0);
  // Whether a group that was cut passes HAVING is unknown.
  const cut = finish.having.length > 0 ? 0 : mostCut;
  const bySeries = finish.series !== null;
  const groups = chosen.groupsLeft + (bySeries ? 0 : cut);
  const seriesLeft = chosen.seriesLeft + (bySeries ? cut : 0);
  const context = { merged, joined, values, resolved, evidence, shown, thinnedByKey };
  const intervals = yield* intervalSteps(finish.aggregates, context);
  return {
    columns: columns.map(({ column }) => column),
    rows,
    ...intervals,
    truncated:
      groups + seriesLeft === 0
        ? null
        : { ...(groups > 0 ? { groups } : {}), ...(seriesLeft > 0 ? { series: seriesLeft } : {}) },
  };
}

/** Cells of one column that are made in a fraction of a millisecond, percentiles of wide histograms too. */
const stepRows = 128;

/** Column by column: a cell of one column is like the one above it. */
function* rowsOf(columns: readonly FinalColumn[], groups: Uint32Array): Steps<ResultRow[]> {
  const rows: ResultValue[][] = [];
  for (let row = 0; row < groups.length; row++) rows.push(new Array(columns.length));
  for (const [index, { cell }] of columns.entries()) {
    for (let row = 0; row < groups.length; row++) {
      rows[row]![index] = cell(groups[row]!);
      if (row % stepRows === stepRows - 1) yield;
    }
  }
  return rows;
}

interface FinalColumn {
  readonly column: ResultColumn;
  cell(group: number): ResultValue;
}

function groupColumns(
  finish: FinishPlan,
  joined: JoinedGroups,
  resolved: ResolvedQuery,
): FinalColumn[] {
  // Side B's buckets show the main side's time: they match by index.
  const buckets = resolved.sides[0]?.buckets ?? null;
  const edges = buckets === null ? [] : edgesOfBuckets(buckets);
  return finish.groups.map((group, index) => ({
    column: describe(group, "group", group.decimals),
    cell: (row) => keyCell(joined.keys[index]!, row, group, edges),
  }));
}

/** Where at least one of this many groups is shown, the numbers of all are computed at once. */
const mostShare = 4;

function aggregateColumns(
  aggregates: readonly FinishAggregate[],
  values: FinishedValues,
  { compare, areMost }: { readonly compare: boolean; readonly areMost: boolean },
): FinalColumn[] {
  const columnOf = (index: number, part: ComparePart): FinalColumn => {
    const aggregate = aggregates[index]!;
    const shown = partOf(aggregate, part);
    const ints = areMost && shown.type === "int" ? values.ordinalsOf(index, part) : null;
    return {
      column: describe(shown, "aggregate", aggregate.decimals),
      cell: ints === null ? cellOf(aggregate, index, part, values) : (row) => intCell(ints[row]!),
    };
  };
  const columns: FinalColumn[] = [];
  let waiting: FinalColumn[] = [];
  aggregates.forEach(({ compared }, index) => {
    // The raw count stays next to its count: the comparison of the count follows both.
    if (compared.length > 0) columns.push(...waiting.splice(0));
    columns.push(columnOf(index, "main"));
    if (compare && compared.length > 0) waiting = compared.map((part) => columnOf(index, part));
  });
  return [...columns, ...waiting];
}

function cellOf(
  aggregate: FinishAggregate,
  index: number,
  part: ComparePart,
  values: FinishedValues,
): FinalColumn["cell"] {
  const { type } = partOf(aggregate, part);
  switch (type) {
    case "histogram":
      return (row) => values.bucketsOf(index, part, row);
    case "string":
      return (row) => values.textOf(index, part, row);
    default:
      return (row) => numberCell(values.finishedOf(index, part, row), type, aggregate.decimals);
  }
}

/** An integer as an ordinal, Infinity where it is missing. */
function intCell(ordinal: number): number | null {
  return ordinal === Number.POSITIVE_INFINITY ? null : ordinal;
}

function partOf(
  aggregate: FinishAggregate,
  part: ComparePart,
): { readonly name: string; readonly type: ResultType; readonly unit: string | undefined } {
  const { name, type, unit } = aggregate;
  switch (part) {
    case "main":
      return { name, type, unit };
    case "compare":
      return { name: `${name}.compare`, type, unit };
    case "delta":
      if (type === "time") return { name: `${name}.delta`, type: "int", unit: "ms" };
      // Texts have no numeric difference: the column is empty.
      return { name: `${name}.delta`, type: type === "string" ? "float" : type, unit };
    case "delta_pct":
      return { name: `${name}.delta_pct`, type: "float", unit: "percent" };
  }
}

interface NamedValues {
  readonly name: string;
  readonly type: ResultType;
  readonly unit: string | undefined;
}

function describe(
  { name, type, unit }: NamedValues,
  role: ResultColumn["role"],
  decimals: number,
): ResultColumn {
  const column = unit === undefined ? { name, type, role } : { name, type, role, unit };
  return type === "decimal" ? { ...column, decimals } : column;
}
