import type { HadalClient, Result } from "@hadal/sdk";
import { printCompleteness } from "./printResult.js";
import type { QueryInput } from "./queryInput.js";

/** Shows how far an answer is, to a person; `done` ends what was shown. */
export interface Progress {
  show(partial: Result): void;
  done(result: Result | null): void;
}

/** Asks once; null when the signal ended it. Problems name places of the written query. */
export async function runQuery(
  client: HadalClient,
  { query, explain }: QueryInput,
  signal: AbortSignal,
  progress: Progress,
): Promise<Result | null> {
  try {
    const result = await client.query(query, { signal, onPartial: progress.show });
    progress.done(result);
    return result;
  } catch (error) {
    progress.done(null);
    if (signal.aborted) return null;
    throw explain(error);
  }
}

/** `97.8 % of rows · 43/44 leaves · 5123 rows scanned · 12 ms`, and what a table of the answer does not show. */
export function printProgress({ stats, completeness, truncated, intervals }: Result): string {
  const { unseenMax: _, atLeast, ...cut } = truncated ?? {};
  const least = atLeast === true ? "at least " : "";
  const more = Object.entries(cut).map(([kind, count]) => `${least}${count} ${kind} cut off`);
  const estimated = Object.keys(intervals);
  const bars =
    estimated.length === 0 ? [] : [`estimated: ${estimated.join(", ")} (error bars in json)`];
  return [
    printCompleteness(completeness),
    `${stats.rowsScanned} rows scanned`,
    ...more,
    ...bars,
    `${Math.round(stats.elapsedMs)} ms`,
  ].join(" · ");
}

/** For output that no person watches. */
export const noProgress: Progress = { show: () => undefined, done: () => undefined };

/** One line that is overwritten. */
export function lineProgress(write: (text: string) => void): Progress {
  let shown = false;
  return {
    show(partial) {
      shown = true;
      write(`\r\x1b[K${printProgress(partial)}`);
    },
    done(result) {
      if (result !== null) write(`\r\x1b[K${printProgress(result)}\n`);
      else if (shown) write("\r\x1b[K");
    },
  };
}
