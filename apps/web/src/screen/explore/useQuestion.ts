import { HadalError, printQuery } from "@hadal/sdk";
import { useEffect, useMemo } from "react";
import { createLiveObserver, type LiveSnapshot } from "../../live/observer.js";
import { useLive } from "../../live/useLive.js";
import { type BuiltQuery, buildQuery } from "../../query/buildQuery.js";
import type { ExploreState } from "../../query/exploreState.js";
import type { Session } from "../../session/session.js";

/** What an answer is an answer to. */
export interface Subject {
  readonly state: ExploreState;
  readonly built: BuiltQuery;
  readonly timeZone: string;
  /** The same for the same question, however often it is asked. */
  readonly key: string;
}

export interface Question {
  readonly main: LiveSnapshot<Subject>;
  /** Totals per series, where buckets do not add up to them. */
  readonly totals: LiveSnapshot<Subject>;
}

/** Short enough to feel live, long enough for a hundred readers of one server. */
const liveEveryMs = 5_000;

/** Asks the state's question whenever it changes or is asked again. */
export function useQuestion(
  session: Session,
  state: ExploreState | null,
  asked: number,
  timeZone: string,
): Question {
  const main = useMemo(() => createLiveObserver<Subject>(session.client), [session]);
  const totals = useMemo(() => createLiveObserver<Subject>(session.client), [session]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` counts the questions; the same one may be asked again
  useEffect(() => {
    if (state === null) return;
    let built: BuiltQuery;
    try {
      built = buildQuery(state, timeZone, Date.now());
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      main.refuse(error);
      totals.stop();
      return;
    }
    const everyMs = state.live ? liveEveryMs : null;
    const subject = { state, built, timeZone, key: printQuery(built.query) };
    main.ask({ query: built.query, subject, everyMs });
    if (built.totals === null) totals.stop();
    else totals.ask({ query: built.totals, subject, everyMs });
  }, [main, totals, state, asked, timeZone]);

  useEffect(
    () => () => {
      main.stop();
      totals.stop();
    },
    [main, totals],
  );
  return { main: useLive(main), totals: useLive(totals) };
}
