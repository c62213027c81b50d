/** Seed of this run: HADAL_TEST_SEED, else a fixed one, so that a failure in CI is a failure here. */
export function oracleSeed(): number {
  const text = process.env.HADAL_TEST_SEED;
  return text === undefined ? 20_261_121 : Number(text);
}
