/** Seed of this run: HADAL_TEST_SEED, else a fixed one, so that a failure in CI is a failure here. */
export function oracleSeed(): number {
  const text = process.env.HADAL_TEST_SEED;
  return text === undefined ? 20_261_121 : Number(text);
}

/** Random queries to ask of each table: the usual number, or what HADAL_TEST_QUERIES asks of all tables together. */
export function queriesPerTable(usual: number, tableCount: number): number {
  const text = process.env.HADAL_TEST_QUERIES;
  return text === undefined ? usual : Math.ceil(Number(text) / tableCount);
}

/** A test's time limit for that many queries a table. */
export function testMsFor(usualMs: number, usual: number, queries: number): number {
  return Math.ceil((usualMs * Math.max(usual, queries)) / usual);
}
