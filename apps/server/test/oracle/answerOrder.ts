import type { Query } from "@hadal/sdk";
import type { AnswerColumn, AnswerOrder } from "./answer.js";
import { timeBucketOf } from "./scope.js";

/** The order of the answer's rows: what was asked for, else the default; ties by keys ascending. */
export function answerOrder(query: Query, columns: readonly AnswerColumn[]): AnswerOrder[] {
  const keyCount = query.groupBy?.length ?? 0;
  const timeIndex = columns.slice(0, keyCount).findIndex((column) => column.name === "time");
  const keys = Array.from({ length: keyCount }, (_, index) => index);
  const timeFirst = timeIndex < 0 ? keys : [timeIndex, ...keys.filter((key) => key !== timeIndex)];
  const ascending = timeFirst.map((columnIndex) => ({ columnIndex, desc: false }));
  if (query.orderBy !== undefined && query.orderBy.length > 0) {
    const asked = query.orderBy.map(({ by, desc }) => ({
      columnIndex: columns.findIndex((column) => column.name === by),
      desc: desc === true,
    }));
    return [...asked, ...ascending];
  }
  if (timeBucketOf(query) !== null || keyCount === 0) return ascending;
  return [{ columnIndex: keyCount, desc: true }, ...ascending];
}

/** What decides which series stay, over rows that lack the time bucket. */
export function seriesOrder(query: Query, columns: readonly AnswerColumn[]): AnswerOrder[] {
  const keyCount = query.groupBy?.length ?? 0;
  const indexOf = (name: string) => columns.findIndex((column) => column.name === name);
  const asked = (query.orderBy ?? []).find(({ by }) => indexOf(by) >= keyCount);
  const rank =
    asked === undefined
      ? { columnIndex: keyCount, desc: true }
      : { columnIndex: indexOf(asked.by), desc: asked.desc === true };
  const keys = Array.from({ length: keyCount - 1 }, (_, index) => ({
    columnIndex: index,
    desc: false,
  }));
  return [{ columnIndex: rank.columnIndex - 1, desc: rank.desc }, ...keys];
}
