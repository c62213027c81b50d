import { bigintAsText, type Filter, HadalError, type Query, type Result } from "@hadal/sdk";
import { useEffect, useState } from "react";
import { isOfSameLeaves } from "../../../../chart/kit/answer/sameLeaves.js";
import { printFilter } from "../../../../query/filter/filterUrl.js";
import { type Explore, useExplore } from "../../explore.js";

/** Of all events of the range, the share that passes each filter, by its text; none until counted. */
export type ChipShares = ReadonlyMap<string, number>;

const nothing: ChipShares = new Map();
const never: ReadonlyMap<string, number> = new Map();
/** A range that moves has other shares by and by. */
const keptMs = 30_000;

/** Counted one after the other, and only while the answer itself is there: a share must cost nobody their answer. */
export function useChipShares(settled: boolean): ChipShares {
  const { session, state, timeZone } = useExplore();
  const { table, from, to, derive, filters } = state;
  const wanted = filters.filter(({ off }) => !off).map(({ filter }) => filter);
  const wantedText = wanted.map(printFilter).join("&");
  const scope = JSON.stringify([table, from, to, timeZone, derive], bigintAsText);
  const [known, setKnown] = useState({ scope, shares: nothing, countedMs: never });
  const isCurrent = known.scope === scope;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts say when something is missing; the rest belongs to them
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
      // The main answer reports a filter that cannot be counted.
      if (!(error instanceof HadalError) && !stop.signal.aborted) throw error;
    });
    return () => stop.abort();
  }, [session, scope, wantedText, settled]);
  return isCurrent ? known.shares : nothing;
}

/** Counts in the zone of the answer: derived columns read the clock there. */
export function countOf(
  { state: { table, from, to, derive }, timeZone }: Pick<Explore, "state" | "timeZone">,
  filter: readonly Filter[],
): Query {
  return { table, from, to, timeZone, derive, filter, aggregates: [{ fn: "count" }] };
}

/** Null where the part and the whole are of different leaves. */
export function shareOf(part: Result, whole: Result): number | null {
  if (!isOfSameLeaves(part.completeness, whole.completeness)) return null;
  const [passed, all] = [part, whole].map(({ rows }) => Number(rows[0]?.[0] ?? 0));
  return all === 0 || all === undefined ? 0 : (passed ?? 0) / all;
}
