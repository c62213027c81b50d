/**
 * What decides which rows of a thinned segment stay. Absent: chance alone, for each row. `key`: rows
 * with the same value of the column stay or go together. `groups`: at least `keepAtLeast` rows of
 * each group in a segment stay, so that rare groups are kept whole.
 */
export type ThinningBasis =
  | { readonly kind: "key"; readonly column: string }
  | {
      readonly kind: "groups";
      readonly columns: readonly string[];
      readonly keepAtLeast: number;
    };

export interface Thinning {
  readonly keepOneIn: number;
  readonly basis?: ThinningBasis;
}

/** Which rows of a segment are kept: one in n, with a higher sample rate; or the newest n. */
export type Reduction = Thinning | { readonly keepNewest: number };
