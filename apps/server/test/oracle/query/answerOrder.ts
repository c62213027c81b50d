import { aggregateName, isNumberAggregate, type Query } from "@hadal/sdk";
import type { AnswerColumn, AnswerOrder } from "./answer.js";
import { isTimeBucket } from "./scope.js";

/**
 * Behind its columns a row carries two more cells to order by: whether the main side of a comparison lacks
 * it (0 or 1), and the rank of its series.
 */
const absentIndex = (columns: readonly AnswerColumn[]) => columns.length;
export const rankIndex = (columns: readonly AnswerColumn[]) => columns.length + 1;

/** The order of the answer's rows: what was asked for, else the default; ties by keys ascending. */
export function answerOrder(query: Query, columns: readonly AnswerColumn[]): AnswerOrder[] {
  const groupBy = query.groupBy ?? [];
  const keys = groupBy.map((_, index) => ascending(index));
  const timeIndex = groupBy.findIndex(isTimeBucket);
  const [first] = query.orderBy ?? [];
  if (query.series !== undefined && query.series !== null) {
    const desc = first?.by === "time" && first.desc === true;
    return [{ columnIndex: timeIndex, desc }, ascending(rankIndex(columns))];
  }
  if (first !== undefined) {
    const asked = (query.orderBy ?? []).map(({ by, desc }) => ({
      columnIndex: columns.findIndex((column) => column.name === by),
      desc: desc === true,
    }));
    return [...asked, ...keys];
  }
  if (timeIndex >= 0) return [ascending(timeIndex), ...keys];
  const number = firstNumber(query, columns);
  if (number < 0) return keys;
  return [ascending(absentIndex(columns)), { columnIndex: number, desc: true }, ...keys];
}

/** What decides which series stay, over rows that lack the time buckets: their columns are fewer. */
export function seriesOrder(query: Query, columns: readonly AnswerColumn[]): AnswerOrder[] {
  const keyCount = query.groupBy?.length ?? 0;
  const timeCount = query.groupBy?.filter(isTimeBucket).length ?? 0;
  const indexOf = (name: string) => columns.findIndex((column) => column.name === name);
  const asked = (query.orderBy ?? []).find(({ by }) => indexOf(by) >= keyCount);
  const rank =
    asked === undefined
      ? { columnIndex: firstNumber(query, columns) - timeCount, desc: true }
      : { columnIndex: indexOf(asked.by) - timeCount, desc: asked.desc === true };
  const keys = Array.from({ length: keyCount - timeCount }, (_, index) => ascending(index));
  const isDefault = asked === undefined;
  return [...(isDefault ? [ascending(absentIndex(columns) - timeCount)] : []), rank, ...keys];
}

/** The column of the first aggregate that is no histogram, or -1. */
function firstNumber(query: Query, columns: readonly AnswerColumn[]): number {
  const spec = (query.aggregates ?? [{ fn: "count" }]).find(isNumberAggregate);
  if (spec === undefined) return -1;
  const keyCount = query.groupBy?.length ?? 0;
  return columns.findIndex(({ name }, i) => i >= keyCount && name === aggregateName(spec));
}

function ascending(columnIndex: number): AnswerOrder {
  return { columnIndex, desc: false };
}
