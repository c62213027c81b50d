import type { Result } from "@hadal/sdk";

/**
 * How the errors of parts make that of their sum. Sampling errors are independent, so their squares
 * add up. Rows of missing leaves are missing in all parts at once: those errors are shared, and add
 * up themselves.
 */
export type PartErrors = "independent" | "shared";

export const partErrorsOf = ({ completeness }: Pick<Result, "completeness">): PartErrors =>
  completeness.fraction >= 1 ? "independent" : "shared";

/** What a part's error adds to the sum that {@link errorOfSum} reads. */
export const addedError = (error: number, partErrors: PartErrors): number =>
  partErrors === "independent" ? error * error : error;

export const errorOfSum = (added: number, partErrors: PartErrors): number =>
  partErrors === "independent" ? Math.sqrt(added) : added;
