/**
 * Which rows a writer sends; each that is sent stands for the others by its `sample_rate`, so that
 * counts and sums stay right on average.
 *
 * - `{ oneIn }`: each row with the same chance.
 * - `{ oneIn, by }`: all rows of a value or none, such as of one user. Rows without the column are
 *   chosen one by one.
 * - `{ rowsPerSecond, by }`: about so many rows a second of each group, so that rare ones are kept whole.
 */
export type Sampling =
  | { readonly oneIn: number; readonly by?: string }
  | { readonly rowsPerSecond: number; readonly by: string | readonly string[] };

/** For how many rows a row stands that is sent; null: it is not sent. */
export type Sampler = (row: Readonly<Record<string, unknown>>) => number | null;

/** Chances of a row, from 0 to 1, and monotonic milliseconds. */
export interface SamplerDeps {
  readonly random: () => number;
  readonly now: () => number;
}
