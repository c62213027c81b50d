import type { CsvRecord } from "./csvRecord.js";

/**
 * The comments that follow the rows of an answer in CSV: `# completeness: 1; rows 3/3; leaves 2/2`.
 */
const comment = /^# (?:as of |(?:completeness|types|truncated|lowerBounds|coverage): )/;

/**
 * Whether the record is a comment of an answer that was exported, and no row. Other lines that
 * begin with `#` may be rows of another program; a text that looks like a comment stands in quotes.
 */
export const isCsvComment = ({ values, quoted }: Pick<CsvRecord, "values" | "quoted">): boolean =>
  quoted?.[0] !== 0 && comment.test(values[0] ?? "");
