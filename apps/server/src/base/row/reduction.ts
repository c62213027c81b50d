/** What stays of a segment's rows: one in so many of those that came, each standing for more; or so many of the newest. */
export type Reduction = { readonly keepOneIn: number } | { readonly keepNewest: number };
