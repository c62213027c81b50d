import type { Batch, HadalClient, LiveOptions, Query } from "@hadal/sdk";
import type { LiveAsker } from "./observer.js";

/** Queries that are due within this time of one another are asked again together. */
const togetherMs = 500;

interface Entry {
  readonly name: string;
  readonly query: Query;
  readonly options: LiveOptions;
  isStopped: boolean;
  /** Ends its part of the running batch. */
  leave: () => void;
}

/**
 * Runs the live queries of a board's tiles in batches: those that begin in the same turn are one
 * request. Live ones are asked again together, without those that were stopped meanwhile.
 */
export function createBatchAsker(client: Pick<HadalClient, "batch">): LiveAsker {
  let waiting: Entry[] = [];
  let count = 0;
  const flush = (): void => {
    const entries = waiting.filter(({ isStopped }) => !isStopped);
    waiting = [];
    if (entries.length > 0) runRound(client, entries, askAgain);
  };
  const enqueue = (entry: Entry): void => {
    if (waiting.length === 0) setTimeout(flush);
    waiting.push(entry);
  };
  const askAgain = (entry: Entry): void => {
    const { everyMs } = entry.options;
    if (everyMs === undefined) return;
    const dueMs = Math.ceil((Date.now() + everyMs) / togetherMs) * togetherMs;
    setTimeout(() => {
      if (!entry.isStopped) enqueue(entry);
    }, dueMs - Date.now());
  };
  return {
    live(query, options) {
      count += 1;
      const entry: Entry = { name: `t${count}`, query, options, isStopped: false, leave: nothing };
      enqueue(entry);
      return {
        stop() {
          entry.isStopped = true;
          entry.leave();
        },
      };
    },
  };
}

const nothing = (): void => {};

/**
 * One request for these. What is not wanted any more is left for last; the request is cancelled when all others are
 * answered.
 */
function runRound(
  client: Pick<HadalClient, "batch">,
  entries: readonly Entry[],
  onDone: (entry: Entry) => void,
): void {
  const open = new Map(entries.map((entry) => [entry.name, entry]));
  let batch: Batch | null = null;
  let hasUnwanted = false;
  const end = (entry: Entry): void => {
    open.delete(entry.name);
    entry.leave = nothing;
    if (!hasUnwanted) return;
    if (open.size === 0) batch?.stop();
    else batch?.prioritize([...open.keys()]);
  };
  for (const entry of entries) {
    entry.leave = () => {
      hasUnwanted = true;
      end(entry);
    };
  }
  const queries = entries.map(({ name, query, options: { everyMs } }) => ({
    ...{ tile: name },
    // Others who look at the same live board are given the same answers: leaves scan once for all of them.
    query: everyMs === undefined ? query : { freshnessMs: everyMs, ...query },
  }));
  batch = client.batch(queries, {
    onResult(name, result) {
      const entry = open.get(name);
      if (entry === undefined) return;
      if (result.final) end(entry);
      entry.options.onResult?.(result);
      if (result.final) onDone(entry);
    },
    onProblem(name, problem) {
      const entry = open.get(name);
      if (entry === undefined) return;
      end(entry);
      entry.options.onProblem?.(problem);
      if (problem.retry) onDone(entry);
    },
  });
}
