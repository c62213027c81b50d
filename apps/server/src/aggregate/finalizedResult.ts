import type { Result } from "@hadal/sdk";

/** The part of a result that comes from the states; completeness and times are the query's. */
export type FinalizedResult = Pick<Result, "columns" | "rows" | "intervals" | "truncated">;
