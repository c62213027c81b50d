import { type GroupBy, HadalError, type Query, type Result, resolveTimeRange } from "@hadal/sdk";
import {
  type CellTexts,
  type ChartInput,
  type ChartMeasure,
  shareOfBound,
} from "../../chart/kit/answer/series.js";
import { addsUp } from "../../chart/spec/overTime.js";
import { usesField } from "../../chart/view/views.js";
import { formatSpan } from "../../format/value.js";
import { boundsOfBucket } from "../../query/filter/groupFilter.js";
import { messageColumn } from "../../query/filter/messageColumns.js";
import { type Aggregate, isCount, isRatio } from "../../query/number/aggregate.js";
import { aggregateLabel, isAdditive, numberName } from "../../query/number/labels.js";
import type { Subject } from "../ask/useQuestion.js";
import { sideNames } from "./sideNames.js";

/** A result as input of charts. */
export function chartInputOf(result: Result, subject: Subject): ChartInput {
  const { state, built, timeZone } = subject;
  const { a: ownName, b: baseName } = sideNames(state);
  const names = state.compare === null ? {} : { ownName, baseName };
  return {
    result,
    groupColumns: (built.query.groupBy ?? []).flatMap(groupColumnsOf),
    measures: built.numbers.map((spec) => ({ ...measureOf(spec, result), ...names })),
    ...rangeOf(result, subject),
    bucketMs: built.bucketMs,
    compared: state.compare !== null && usesField(state.view, "compare"),
    live: state.live,
    message: messageColumn(result.columns),
    texts: textsOf(built.query, result),
    timeZone,
  };
}

/** Numeric buckets are shown as ranges. */
function textsOf({ groupBy = [] }: Query, { columns }: Result): CellTexts {
  return new Map(
    groupBy.flatMap((group) => {
      if (typeof group === "string" || !("bucket" in group)) return [];
      const name = group.as ?? group.bucket;
      const unit = columns.find((column) => column.name === name)?.unit;
      const textOf = (low: number | bigint): string => {
        if (group.scale === "log" && Number(low) === 0) return "0";
        const bounds = boundsOfBucket(group, low);
        return formatSpan(bounds.low, bounds.high, { unit });
      };
      return [[name, textOf] as const];
    }),
  );
}

/** Group columns of the query except time: a view may group by more or fewer than the form. */
function groupColumnsOf(group: GroupBy): string[] {
  if (typeof group === "string") return [group];
  if ("time" in group) return [];
  const column =
    "column" in group ? group.column : "element" in group ? group.element : group.bucket;
  return [group.as ?? column];
}

/** A range that ends now ends at the server's time of the result. */
function rangeOf(result: Result, { built, timeZone }: Subject): { fromMs: number; toMs: number } {
  try {
    return resolveTimeRange(built.query.from, built.query.to, result.asOf, timeZone);
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return built.range;
  }
}

function measureOf(spec: Aggregate, result: Result): ChartMeasure {
  const name = numberName(spec);
  const unit = result.columns.find((column) => column.name === name)?.unit;
  return {
    name,
    label: aggregateLabel(spec),
    measure: {
      unit: isCount(spec) ? undefined : isRatio(spec) && spec.percent === true ? "percent" : unit,
      per: spec.per,
      ...shareOfBound(result, name),
    },
    zeroWhenAbsent: isAdditive(spec),
    additive: isAdditive(spec),
    total: totalOf(spec),
  };
}

function totalOf(spec: Aggregate): ChartMeasure["total"] {
  if (!addsUp(spec)) return null;
  if (spec.fn === "min" || spec.fn === "max") return spec.fn;
  return isCount(spec) || spec.fn === "count.raw" ? "count" : "sum";
}
