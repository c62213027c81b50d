import type { Result } from "@hadal/sdk";
import { isOfSameLeaves } from "../../kit/answer/sameLeaves.js";
import type { ChartInput } from "../../kit/answer/series.js";
import { type GroupTotal, totalsOfResult } from "../../kit/answer/totals.js";

/** What the view's question calls the answer about a column, or about the elements of its lists. */
const boardName = /^(board|elements) (.*)$/s;

/** One column's top values. */
export interface BoardData {
  readonly column: string;
  /** null until its answer has come. */
  readonly totals: readonly GroupTotal[] | null;
  readonly final: boolean;
  /** Whether the column contains lists, and the values are their elements. */
  readonly isList: boolean;
  /** Whether these are of the same leaves as the number over all rows. */
  readonly isOfWhole: boolean;
  /** How many values there are, those that are not shown included. */
  readonly valueCount: number;
}

/** The boards in the order of the query, with those that have not arrived. */
export function boardsOf(
  input: ChartInput,
  names: readonly string[],
  extras: Readonly<Record<string, Result>>,
): BoardData[] {
  return names.flatMap((name) => {
    const [, kind, column] = boardName.exec(name) ?? [];
    if (column === undefined) return [];
    const result = Object.hasOwn(extras, name) ? extras[name] : undefined;
    const totals =
      result === undefined ? null : totalsOfResult(result, { ...input, groupColumns: [column] });
    return {
      column,
      totals,
      final: result?.final ?? false,
      isList: kind === "elements",
      isOfWhole:
        result !== undefined && isOfSameLeaves(result.completeness, input.result.completeness),
      valueCount: (totals?.length ?? 0) + (result?.truncated?.groups ?? 0),
    };
  });
}
