import type { ResultNote } from "@hadal/sdk";
import type { Steps } from "../../base/schedule/steps.js";
import type { FinishAggregate } from "../../plan/query/finishPlan.js";
import { evidenceOfRows, type ShownEvidence } from "../estimate/leafEvidence.js";
import { NoBarCounts, type NoBarReason } from "../estimate/noBar.js";
import { type Bars, createBars, isSampled, isSketched } from "./columnBars.js";
import type { FinalizedResult } from "./finalizedResult.js";
import type { Interval, IntervalContext } from "./intervalContext.js";

/** Only the first rows get bars: more than any chart draws, and some 50 ms of work a column. */
export const barredRowsMax = 10_000;

/** Error bars of a result, and what to know of those that are missing. */
type BarsOfResult = Pick<FinalizedResult, "intervals" | "noBars" | "barNotes">;

const none: BarsOfResult = { intervals: {}, noBars: [], barNotes: [] };

/**
 * Error bars of what is estimated, row by row: between which numbers the full answer lies 19 times of 20.
 * The shown numbers stay those of the rows that answered, so that with leaves missing a count's bar lies
 * above it. Columns whose numbers are exact have none; in others what is exact has a bar without width, and null is
 * an estimate whose error is unknown.
 */
export function* intervalSteps(
  aggregates: readonly FinishAggregate[],
  context: IntervalContext,
): Steps<BarsOfResult> {
  const { evidence, merged } = context;
  if (evidence.kind === "unknown") return none;
  const compares = merged.sides.length > 1;
  const isEstimated = (aggregate: FinishAggregate): boolean =>
    aggregate.type !== "histogram" &&
    (evidence.kind === "leaves" || isSampled(aggregate, aggregates) || isSketched({ aggregate }));
  if (!aggregates.some(isEstimated)) return none;
  const shown = context.shown.subarray(0, barredRowsMax);
  const behind = evidenceOfRows(evidence, { ...context, shown });
  const intervals: [string, (Interval | null)[]][] = [];
  const barNotes: ResultNote[] = [];
  for (const [index, aggregate] of aggregates.entries()) {
    if (!isEstimated(aggregate)) continue;
    const barsOf = createBars({ ...context, behind, aggregates, aggregate, index });
    for (const part of ["main", ...(compares ? aggregate.compared : [])] as const) {
      const barOf = barsOf(part);
      if (barOf === null) continue;
      const column = part === "main" ? aggregate.name : `${aggregate.name}.${part}`;
      const { bars, texts, isEstimate } = yield* drawBars(barOf, shown, context);
      if (isEstimate) intervals.push([column, bars]);
      barNotes.push(...texts.map((text) => ({ column, text })));
    }
  }
  const noBars = evidence.kind === "whole" ? [] : reasonsOf(behind);
  return { intervals: Object.fromEntries(intervals), noBars, barNotes };
}

/** Of rows that missing leaves hold a part of. */
function reasonsOf({ sizes }: ShownEvidence): readonly NoBarReason[] {
  const found = new Set<NoBarReason>();
  for (const { answered, missing, haveSameTimes } of sizes.flat()) {
    if (missing === 0) continue;
    if (answered.filter((rows) => rows > 0).length < 2) found.add("too few leaves");
    else if (!haveSameTimes) found.add("other times");
  }
  return [...found].sort();
}

interface DrawnBars {
  readonly bars: (Interval | null)[];
  readonly isEstimate: boolean;
  readonly texts: readonly string[];
}

/** Bars that are drawn in a fraction of a millisecond. */
const stepBars = 64;

/** The bars of a column: none where all its numbers are exact. */
function* drawBars(
  barOf: Bars,
  shown: Uint32Array,
  { evidence, shown: all }: IntervalContext,
): Steps<DrawnBars> {
  const bars = new Array<Interval | null>(all.length).fill(null);
  const missing = new NoBarCounts();
  let isEstimate = false;
  for (let row = 0; row < shown.length; row++) {
    if (row % stepBars === stepBars - 1) yield;
    const found = barOf(shown[row]!, row);
    if (found === null) continue;
    if (typeof found === "string") {
      missing.add(found);
      // Where leaves are missing, every number is known to be an estimate.
      isEstimate ||= found !== "unknown" || evidence.kind === "whole";
      continue;
    }
    bars[row] = found.bar;
    isEstimate ||= !found.isExact;
  }
  return { bars, isEstimate, texts: missing.texts(shown.length) };
}
