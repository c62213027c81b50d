/** Queries of a round: some minutes, so that little is lost when a run is stopped. */
const roundQueries = 2_200;

/** What unit tests read to run their long rounds of random trials. */
export const longTrials = { HADAL_TEST_TRIALS: "long" };

/**
 * The rounds of a long run, each with a seed and so with tables of its own. `known`: results of an
 * earlier run of the same rounds, by seed; rounds that passed are not run again.
 */
export function longRounds(queries, firstSeed, known = {}) {
  return Array.from({ length: Math.ceil(queries / roundQueries) }, (_, i) => ({
    seed: firstSeed + i,
    queries: Math.min(roundQueries, queries - i * roundQueries),
    hasPassed: known[firstSeed + i] === "passed",
  }));
}

/**
 * What is kept of a run: its first seed, its number of queries, and the results of the long trials and of each
 * round so far.
 */
export function resumedRun(kept, queries, wantedSeed, freshSeed) {
  const isSame =
    kept !== null &&
    kept.queries === queries &&
    (wantedSeed === undefined || kept.firstSeed === wantedSeed);
  return isSame ? kept : { queries, firstSeed: wantedSeed ?? freshSeed, rounds: {} };
}
