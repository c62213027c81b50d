/** Seed of this run: HADAL_TEST_SEED, else a fixed one, so that a failure in CI is a failure here. */
export function oracleSeed(): number {
  const text = process.env.HADAL_TEST_SEED;
  return text === undefined ? 20_261_121 : Number(text);
}

/**
 * The random queries that `npm test` asks of clusters in all: 228 queries in `cluster.test.ts`, 160 expressions, 72 in
 * `changedTypes.test.ts`, 51 derived columns, 40 facets and 60 calendar buckets, to the hundred below.
 */
const usualQueries = 600;

/** Random questions to ask of each table: the usual number, or as many times more as HADAL_TEST_QUERIES is of all the usual ones. */
export function queriesPerTable(usual: number): number {
  const text = process.env.HADAL_TEST_QUERIES;
  return text === undefined ? usual : Math.ceil((usual * Number(text)) / usualQueries);
}

/** A test's time limit for that many queries a table. */
export function testMsFor(usualMs: number, usual: number, queries: number): number {
  return Math.ceil((usualMs * Math.max(usual, queries)) / usual);
}

/**
 * Random trials of a unit test: as many as find a planted fault, or with HADAL_TEST_TRIALS=long
 * those of `npm run test:long`.
 */
export function trials(usual: number, long: number): number {
  return process.env.HADAL_TEST_TRIALS === "long" ? long : usual;
}

/** Random damages of each kind of file: the usual number, or HADAL_TEST_MUTATIONS. */
export function mutationsPerKind(usual: number): number {
  const text = process.env.HADAL_TEST_MUTATIONS;
  return text === undefined ? usual : Number(text);
}
