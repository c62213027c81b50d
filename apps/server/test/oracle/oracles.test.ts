import { isNumberAggregate, type Query } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerDifference, sampleDifference } from "./compareAnswers.js";
import { answerByDuckDB, sampleByDuckDB } from "./duckdbEngine.js";
import type { DuckDBTable } from "./duckdbTable.js";
import { loadDuckDB } from "./duckdbTable.js";
import { answerNaively } from "./naiveEngine.js";
import { sampleNaively } from "./naiveSample.js";
import { oracleTables } from "./oracleTables.js";
import { randomQuery } from "./randomQuery.js";
import { oracleSeed, queriesPerTable, testMsFor } from "./seed.js";
import { shrinkQuery } from "./shrinkQuery.js";

const seed = oracleSeed();
const tables = oracleTables(seed, 800);
const queryCount = queriesPerTable(150, tables.length);
const testMsMax = testMsFor(60_000, 150, queryCount);

/** Histograms are the naive oracle's alone: SQL would need a query of its own for each. */
function withoutHistograms(query: Query): Query {
  const { aggregates, ...rest } = query;
  const numbers = aggregates?.filter(isNumberAggregate) ?? [];
  return numbers.length === 0 ? rest : { ...rest, aggregates: numbers };
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
      const expected = sampleNaively(table, query);
      const rows = await sampleByDuckDB(duckdb, query);
      const sign = expected.newestFirst ? -1 : 1;
      rows.sort((a, b) => sign * (a.timeMs - b.timeMs));
      return sampleDifference(expected, rows.slice(0, expected.limit));
    }
    const common = withoutHistograms(query);
    const expected = answerNaively(table, common);
    const rows = await answerByDuckDB(duckdb, common);
    return answerDifference(expected, rows.slice(0, expected.limit));
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
