import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { type EstimatedNumber, rowsOf } from "./estimateAggregate.js";
import type { ShownEvidence } from "./leafEvidence.js";
import { minuteMs } from "./leafMinutes.js";
import { knownByLedger, type LinearEstimate } from "./linearEstimate.js";

/**
 * Counts of all rows in whole minutes are known from the row-count ledger, whichever leaves are missing. Null if filters,
 * groups or sample rates change the count; a row that covers part of a minute has none.
 */
export function createKnownCount(
  { as, stateIndex, spreadIndex }: EstimatedNumber,
  { sides, groupBy, states }: ResolvedQuery,
  { sizes, together, leaves }: ShownEvidence,
  options: {
    readonly sideIndex: number;
    /** The time range of a shown row. */
    readonly timeOf: (row: number) => readonly [number, number];
  },
): ((row: number) => LinearEstimate | null) | null {
  const { sideIndex, timeOf } = options;
  if (as !== "count") return null;
  const kind = states[stateIndex]?.kind;
  if (kind !== "rows" && (kind !== "weight" || spreadIndex !== null)) return null;
  const { filter } = sides[sideIndex]!;
  if (filter.kind !== "all" || filter.filters.length > 0) return null;
  const isTime = (group: ResolvedQuery["groupBy"][number]): boolean =>
    group.kind === "time" || (group.kind === "bucket" && group.further !== undefined);
  if (!groupBy.every(isTime)) return null;
  const leafErrors = leaves[sideIndex]!.map(() => 0);
  return (row) => {
    const { missing } = sizes[sideIndex]![row]!;
    if (missing === 0 || timeOf(row).some((edgeMs) => edgeMs % minuteMs !== 0)) return null;
    return {
      value: rowsOf(together[sideIndex]!, row) + missing,
      leafErrors,
      evidenceLeaves: knownByLedger,
      variance: 0,
      df: Number.POSITIVE_INFINITY,
      shift: 0,
      third: 0,
      leastMissing: 0,
    };
  };
}
