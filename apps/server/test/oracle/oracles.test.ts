import { aggregateName, isNumberAggregate, type Query } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  answerDifference,
  sampleDifference,
  someRowsDifference,
} from "./compare/compareAnswers.js";
import { answerByDuckDB, sampleByDuckDB } from "./duckdb/duckdbEngine.js";
import type { DuckDBTable } from "./duckdb/duckdbTable.js";
import { loadDuckDB } from "./duckdb/duckdbTable.js";
import { answerNaively } from "./naive/naiveEngine.js";
import { sampleNaively } from "./naive/naiveSample.js";
import type { Answer } from "./query/answer.js";
import { randomQuery } from "./random/randomQuery.js";
import { shrinkQuery } from "./random/shrinkQuery.js";
import { oracleSeed, queriesPerTable, testMsFor } from "./seed/seed.js";
import { oracleTables } from "./table/oracleTables.js";

const seed = oracleSeed();
const tables = oracleTables(seed, 800);
const queryCount = queriesPerTable(150);
const testMsMax = testMsFor(60_000, 150, queryCount);

/**
 * Histograms are the naive oracle's alone: SQL would need a query of its own for each. And so is the choice of series by
 * deviations: DuckDB adds up rounded squares, and may tell equal ones apart.
 */
function commonPart(query: Query): Query {
  const { aggregates, ...rest } = query;
  const numbers = aggregates?.filter(isNumberAggregate) ?? [];
  if (numbers.length === 0) return rest;
  const { series: _, ...uncut } = rest;
  const isRanked = numbers.some(({ fn }) => fn === "stddev");
  return { ...(isRanked ? uncut : rest), aggregates: numbers };
}

/** For the same reason it may order them otherwise. */
function ordersByDeviation({ aggregates = [] }: Query, { order, columns }: Answer): boolean {
  const deviations = aggregates.filter(({ fn }) => fn === "stddev").map(aggregateName);
  return order.some(({ columnIndex }) => {
    const ordered = columns[columnIndex]?.name ?? "";
    return deviations.some((name) => ordered === name || ordered.startsWith(`${name}.`));
  });
}

/** The two oracles must agree with each other before either may judge. */
describe.each(tables)("$name (seed %#)", (table) => {
  let duckdb: DuckDBTable;
  beforeAll(async () => {
    duckdb = await loadDuckDB(table);
  });
  afterAll(() => duckdb.close());

  async function difference(query: Query): Promise<string | null> {
    if (query.sampleView !== undefined) {
      for (const [sideIndex, expected] of sampleNaively(table, query).entries()) {
        const rows = await sampleByDuckDB(duckdb, query, sideIndex);
        const sign = expected.newestFirst ? -1 : 1;
        rows.sort((a, b) => sign * (a.timeMs - b.timeMs));
        const found = sampleDifference(expected, rows.slice(0, expected.limit));
        if (found !== null) return found;
      }
      return null;
    }
    const common = commonPart(query);
    const expected = answerNaively(table, common);
    const rows = (await answerByDuckDB(duckdb, common)).slice(0, expected.limit);
    if (!ordersByDeviation(common, expected)) return answerDifference(expected, rows);
    const wanted = Math.min(expected.rows.length, expected.limit);
    if (rows.length !== wanted) return `${rows.length} rows, expected ${wanted}`;
    return someRowsDifference(expected, rows);
  }

  test(
    `naive and DuckDB agree on ${queryCount} queries from seed ${seed}`,
    async () => {
      for (let index = 0; index < queryCount; index++) {
        const query = randomQuery(table, seed * 1000 + index);
        if ((await difference(query)) === null) continue;
        const small = await shrinkQuery(query, async (q) => (await difference(q)) !== null);
        expect.fail(
          `seed ${seed}, query ${index}: ${await difference(small)}\n${JSON.stringify(small)}`,
        );
      }
    },
    testMsMax,
  );
});
