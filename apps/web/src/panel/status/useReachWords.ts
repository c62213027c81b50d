import { formatInstant } from "../../format/time.js";
import { usePanel } from "../panel.js";
import { compareReach } from "./compareReach.js";

/** What the comparison lacks because the table's rows begin later; null: nothing. */
export function useReachWords(askedAtMs: number): string | null {
  const { state, table, timeZone } = usePanel();
  const oldestMs = table?.fromMs ?? null;
  const reach = compareReach(state, oldestMs, askedAtMs, timeZone);
  if (reach === "all" || oldestMs === null) return null;
  const since = formatInstant(oldestMs - (oldestMs % 1_000), timeZone);
  return reach === "none"
    ? `side B has no rows: they begin ${since}`
    : `side B is not whole: rows begin ${since}`;
}
