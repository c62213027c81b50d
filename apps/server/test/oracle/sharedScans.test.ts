import type { Query, Result } from "@hadal/sdk";
import { HadalError } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadTable } from "../support/loadTable.js";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { randomQuery } from "./random/randomQuery.js";
import { oracleSeed, queriesPerTable, testMsFor } from "./seed/seed.js";
import { oracleTables } from "./table/oracleTables.js";

const seed = oracleSeed();
/** Each asks for the same rows as the others of its batch, so that leaves scan them once. */
const batchSize = 12;
const batchCount = queriesPerTable(8);
const testMsMax = testMsFor(120_000, 8, batchCount);
const tables = oracleTables(seed, 1_500);

describe("tiles that share a scan say what each says alone", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ leaves: 2, environment: { HADAL_SEAL_AFTER: "1" } });
    for (const table of tables) await loadTable(cluster, table, 500);
  }, testMsMax);
  afterAll(() => cluster?.stop());

  test.each(tables)(
    "$name",
    async (table) => {
      for (let batch = 0; batch < batchCount; batch++) {
        const first = randomQuery(table, seed * 11_000 + batch * batchSize);
        const queries = Array.from({ length: batchSize }, (_, i) =>
          aboutTheSame(first, randomQuery(table, seed * 11_000 + batch * batchSize + i)),
        );
        const together = await askTogether(cluster, queries);
        for (const [i, query] of queries.entries()) {
          const alone = await outcomeOf(() => cluster.client.query(query));
          expect(together[i], `HADAL_TEST_SEED=${seed} ${textOf(query)}`).toBe(alone);
        }
      }
    },
    testMsMax,
  );
});

/** The query with the rows of the first. Raw rows, which share no scan, are counted instead. */
function aboutTheSame({ from, to, filter, compare, timeZone }: Query, own: Query): Query {
  const { filter: _filter, compare: _compare, timeZone: _zone, sampleView: _rows, ...rest } = own;
  return {
    ...{ ...rest, from, to, timeoutMs: 30_000 },
    ...(filter && { filter }),
    ...(compare && { compare }),
    ...(timeZone && { timeZone }),
  };
}

function askTogether({ client }: Cluster, queries: readonly Query[]): Promise<readonly string[]> {
  const found: string[] = [];
  let open = queries.length;
  return new Promise((resolve) => {
    const end = (tile: string, text: string): void => {
      found[Number(tile)] = text;
      open -= 1;
      if (open === 0) resolve(found);
    };
    client.batch(
      queries.map((query, i) => ({ tile: String(i), query })),
      {
        onResult: (tile, result) => {
          if (result.final) end(tile, answerText(result));
        },
        onProblem: (tile, problem) => end(tile, problemText(problem)),
      },
    );
  });
}

async function outcomeOf(ask: () => Promise<Result>): Promise<string> {
  try {
    return answerText(await ask());
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return problemText(error);
  }
}

/** Without what was read, when, and how long it took. */
function answerText({
  stats: _stats,
  asOf: _asOf,
  intervals,
  truncated,
  ...answer
}: Result): string {
  return textOf({
    ...answer,
    // Sums of doubles depend on the order of their parts.
    intervals: JSON.parse(JSON.stringify(intervals, (_key, part) => rounded(part))),
    // How many there are at least depends on where a leaf cut them off.
    truncated: truncated?.atLeast === true ? { ...truncated, groups: null } : truncated,
  });
}

const rounded = (part: unknown): unknown =>
  typeof part === "number" ? Number(part.toPrecision(9)) : part;

const problemText = ({ code, message, errors }: HadalError): string =>
  textOf({ code, message, errors });

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? `${part}n` : part));
