import type { HadalClient, Query } from "@hadal/sdk";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import type { ChartInput } from "../../chart/kit/answer/series.js";
import { noAnnotations, type Shown } from "../../chart/kit/time/annotation/shownAnnotations.js";
import { annotationChanges } from "./annotationChanges.js";
import type { readAnnotations } from "./readAnnotations.js";

/** The range of a live query moves with each answer: its annotations are read once a minute. */
const stepMs = 60_000;
/** The same answer again, such as after its key, reads them again, but not more often than this. */
const againMs = 15_000;

/** The annotations of an answer over time; none while they cannot be read: the answer itself is shown. */
export function useAnnotations(
  client: Pick<HadalClient, "annotations" | "query">,
  table: string,
  { fromMs, toMs, bucketMs, result }: Pick<ChartInput, "fromMs" | "toMs" | "bucketMs" | "result">,
): Shown {
  const [found, setFound] = useState(noAnnotations);
  const { count } = useStore(annotationChanges);
  const from = Math.floor(fromMs / stepMs) * stepMs;
  const to = Math.ceil(toMs / stepMs) * stepMs;
  const turn = Math.floor(result.asOf / againMs);
  const isOverTime = bucketMs !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `count` or `turn` reads again
  useEffect(() => {
    let isCurrent = true;
    const read = async (): Promise<void> => {
      const source = {
        list: client.annotations.listAll,
        ask: (query: Query) => client.query(query),
      };
      const shown = isOverTime ? await load(source, table, { from, to }) : noAnnotations;
      if (isCurrent) setFound(shown);
    };
    void read();
    return () => {
      isCurrent = false;
    };
  }, [client, table, from, to, isOverTime, count, turn]);
  return found;
}

/** Loaded after the answer that they belong to; another answer loads them again where that failed. */
const load: typeof readAnnotations = async (...asked) => {
  const part = await import("./readAnnotations.js").catch(() => null);
  return part === null ? noAnnotations : part.readAnnotations(...asked);
};
