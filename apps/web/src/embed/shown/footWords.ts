import type { Result } from "@hadal/sdk";
import { formatError } from "../../format/errorBar.js";
import { formatRowShare } from "../../format/lack.js";
import { formatClock } from "../../format/time.js";
import { truncationWords, typicalError } from "../../panel/status/completeness.js";

/** How complete and how exact an answer is, the most important first. */
export function footWords(result: Result, timeZone: string): readonly string[] {
  const { completeness, asOf } = result;
  const error = typicalError(result);
  const cut = truncationWords(result);
  const missing = completeness.leaves.missing.length;
  return [
    formatRowShare(completeness),
    ...(error === null ? [] : [formatError(error)]),
    ...(missing === 0 ? [] : [`${missing} of ${completeness.leaves.total} leaves missing`]),
    `as of ${formatClock(asOf, timeZone)}`,
    ...(cut === null ? [] : [cut]),
  ];
}
