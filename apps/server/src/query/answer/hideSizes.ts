import type { BucketCoverage, Completeness, QueryStats, Result, ResultNote } from "@hadal/sdk";
import { withoutRowCounts } from "./resultNotes.js";

interface Sized {
  readonly completeness: Completeness;
  readonly stats: QueryStats;
  readonly notes?: readonly ResultNote[];
}

/**
 * An answer for someone who may read only some of the table's rows: without what it says of the number of all rows, or of
 * when the first of them was.
 */
export function hideSizes<Answer extends Sized>(answer: Answer): Answer {
  const { rowsExpected: _, rowsAnswered: __, ...completeness } = answer.completeness;
  const { rowsScanned, bytesScanned, segments, segmentsSkipped, ...shown } = answer.stats;
  // Predicted from the number of all rows.
  const { predictedMs: ___, ...stats } = shown;
  const { notes } = answer;
  return {
    ...answer,
    ...{ completeness, stats },
    ...(notes === undefined ? {} : { notes: withoutRowCounts(notes) }),
  };
}

/** The same of a result, whose error bars count the rows of leaves that are missing. */
export function hideSizesOfResult(result: Result): Result {
  const { coverage, compareCoverage, ...rest } = hideSizes(result);
  const { fraction, leaves } = result.completeness;
  const isWhole = fraction === 1 && leaves.missing.length === 0;
  const text = "No error bars are given while rows are missing: they would count rows of others.";
  return {
    ...rest,
    ...coverageOf("coverage", coverage),
    ...coverageOf("compareCoverage", compareCoverage),
    ...(isWhole ? {} : { intervals: {}, notes: [...(rest.notes ?? []), { text }] }),
  };
}

/** Before the first row of the table there is none of theirs either: what is counted there is right. */
function coverageOf(name: "coverage" | "compareCoverage", buckets: Result["coverage"] = []) {
  const kept = buckets.filter(([, , reason]: BucketCoverage) => reason !== "before-data");
  return kept.length === 0 ? {} : { [name]: kept };
}
