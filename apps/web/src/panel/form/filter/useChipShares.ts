import { bigintAsText, type Filter, HadalError, type Query, type Result } from "@hadal/sdk";
import { useEffect, useState } from "react";
import { isOfSameLeaves } from "../../../chart/kit/answer/sameLeaves.js";
import { printFilter } from "../../../query/filter/filterUrl.js";
import { type FormQuery, useFormQuery } from "../../formQuery.js";

/** The share of events in the range that match each filter, by its printed text. */
export type ChipShares = ReadonlyMap<string, number>;

const nothing: ChipShares = new Map();
const never: ReadonlyMap<string, number> = new Map();
/** Shares of a moving range are counted again after this time. */
const keptMs = 30_000;

/** Counts one share at a time, after the answer: a share must not delay an answer. */
export function useChipShares({ settled }: { readonly settled: boolean }): ChipShares {
  const { session, state, timeZone } = useFormQuery();
  const { table, from, to, derive, filters } = state;
  const wanted = filters.filter(({ off }) => !off).map(({ filter }) => filter);
  const wantedText = wanted.map(printFilter).join("&");
  const scope = JSON.stringify([table, from, to, timeZone, derive], bigintAsText);
  const [known, setKnown] = useState({ scope, shares: nothing, countedMs: never });
  const isCurrent = known.scope === scope;

  // biome-ignore lint/correctness/useExhaustiveDependencies: compared by the printed texts
  useEffect(() => {
    const countedMs = new Map(isCurrent ? known.countedMs : never);
    const dueMs = performance.now() - keptMs;
    const isDue = (filter: Filter) => (countedMs.get(printFilter(filter)) ?? -Infinity) < dueMs;
    const due = wanted.filter(isDue);
    if (!settled || due.length === 0) return;
    const stop = new AbortController();
    const count = (filter: readonly Filter[]): Promise<Result> =>
      session.client.query(countOf({ state, timeZone }, filter), { signal: stop.signal });
    const countAll = async (): Promise<void> => {
      const shares = new Map(isCurrent ? known.shares : nothing);
      const all = await count([]);
      for (const filter of due) {
        const text = printFilter(filter);
        const share = shareOf(await count([filter]), all);
        if (stop.signal.aborted) return;
        if (share === null) shares.delete(text);
        else shares.set(text, share);
        countedMs.set(text, performance.now());
        setKnown({ scope, shares: new Map(shares), countedMs: new Map(countedMs) });
      }
    };
    countAll().catch((error: unknown) => {
      // The answer reports a filter that cannot be counted.
      if (!(error instanceof HadalError) && !stop.signal.aborted) throw error;
    });
    return () => stop.abort();
  }, [session, scope, wantedText, settled]);
  return isCurrent ? known.shares : nothing;
}

/** Counts in the time zone of the answer, on which derived columns depend. */
export function countOf(
  { state: { table, from, to, derive }, timeZone }: Pick<FormQuery, "state" | "timeZone">,
  filter: readonly Filter[],
): Query {
  return { table, from, to, timeZone, derive, filter, aggregates: [{ fn: "count" }] };
}

/** Null when the two counts are from different leaves. */
export function shareOf(part: Result, whole: Result): number | null {
  if (!isOfSameLeaves(part.completeness, whole.completeness)) return null;
  const [passed, all] = [part, whole].map(({ rows }) => Number(rows[0]?.[0] ?? 0));
  return all === 0 || all === undefined ? 0 : (passed ?? 0) / all;
}
