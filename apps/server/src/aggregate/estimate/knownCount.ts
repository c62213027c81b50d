import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { type EstimatedNumber, rowsOf } from "./estimateAggregate.js";
import type { ShownEvidence } from "./leafEvidence.js";
import { minuteMs } from "./leafMinutes.js";
import { knownByLedger, type LinearEstimate } from "./linearEstimate.js";

/**
 * Of counts of all rows in whole minutes, which the row-count ledger knows, whatever leaves are missing and however
 * they differ. Null where filters, groups or sample rates decide what counts; a row in a part of a minute has none.
 */
export function createKnownCount(
  { as, stateIndex, spreadIndex }: EstimatedNumber,
  { sides, groupBy, states }: ResolvedQuery,
  { sizes, together, leaves }: ShownEvidence,
  options: {
    readonly sideIndex: number;
    /** The part of time that a shown row is about. */
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
      tellingLeaves: knownByLedger,
      variance: 0,
      df: Number.POSITIVE_INFINITY,
      shift: 0,
      third: 0,
      leastMissing: 0,
    };
  };
}
