import type { Result } from "@hadal/sdk";
import type { Subject } from "../../panel/ask/useQuestion.js";

/** Why a final answer has nothing to draw; null: it has. */
export function emptyWords(result: Result, { state, built }: Subject): string | null {
  if (!result.final) return null;
  const isFiltered = state.filters.length > 0;
  if (result.stats.rowsMatched === 0) return isFiltered ? "No rows match" : "No rows in this range";
  if (built.without === null || state.options.show === "data") return null;
  return isFiltered
    ? `No row that matches has a value in ${built.without}`
    : `No row in this range has a value in ${built.without}`;
}
