/** Which rows of a segment are kept: one in n, with a higher sample rate; or the newest n. */
export type Reduction = { readonly keepOneIn: number } | { readonly keepNewest: number };
