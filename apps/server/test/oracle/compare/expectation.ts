import type { Query } from "@hadal/sdk";
import { deriveTable } from "../naive/deriveTable.js";
import { aggregatesOf, answerNaively } from "../naive/naiveEngine.js";
import { sampleNaively } from "../naive/naiveSample.js";
import type { Answer } from "../query/answer.js";
import type { OracleTable } from "../table/oracleTable.js";
import { seenTable } from "../table/seenTable.js";

/** Percentiles come from histograms: 1 % is what is promised for up to 1,000 groups, 1.6 % for more. */
const sketchError = 0.01;
const coarseSketchError = 0.016;
const fineGroupsMax = 1_000;

/** What the oracle answers to a query, computed once for all clusters that answer it. */
export interface Expectation {
  readonly answer: Answer;
  /** As if the query asked for no series: what those are chosen from. */
  uncut(): Answer;
}

/** The table as a query sees it, with the columns that it derives; null where a derived value needs more than 64 bits. */
export const tableOf = oncePerQuery(
  async (stored, query): Promise<OracleTable | null> =>
    deriveTable(await seenTable(stored, query), query),
);

export const expectationOf = oncePerQuery(expect);
export const expectedSamples = oncePerQuery(sampleNaively);

/** A query is asked of several clusters; one query may be asked of several tables. */
function oncePerQuery<Known>(
  answer: (table: OracleTable, query: Query) => Known,
): (table: OracleTable, query: Query) => Known {
  const tables = new WeakMap<OracleTable, WeakMap<Query, Known>>();
  return (table, query) => {
    const known = tables.get(table) ?? new WeakMap<Query, Known>();
    tables.set(table, known);
    const answered = known.get(query) ?? answer(table, query);
    known.set(query, answered);
    return answered;
  };
}

function expect(table: OracleTable, query: Query): Expectation {
  const fine = answerNaively(table, query, sketchError);
  // Leaves make all groups; what `having` and `series` keep of them is decided when they are finished.
  const error = fine.groupCount <= fineGroupsMax ? sketchError : coarseSketchError;
  const sketches = aggregatesOf(query).some(({ fn }) => fn === "percentile");
  const isExpected = error === sketchError || !sketches;
  const answer = isExpected ? fine : answerNaively(table, query, error);
  const { series, ...rest } = query;
  let all = series === undefined || series === null ? answer : undefined;
  return {
    answer,
    uncut: () => {
      all ??= answerNaively(table, rest, error);
      return all;
    },
  };
}
