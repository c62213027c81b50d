import { type ColumnInfo, HadalError, printQuery, type Result } from "@hadal/sdk";
import { useEffect, useMemo, useState } from "react";
import { viewOf } from "../../chart/view/views.js";
import { type BuiltQuery, buildQuery } from "../../draft/ask/buildQuery.js";
import { withWholeBuckets } from "../../draft/ask/wholeBuckets.js";
import { isSameQuestion } from "../../draft/url/sameQuestion.js";
import { createLiveObserver, type LiveSnapshot } from "../../live/observer.js";
import { createObserverSet } from "../../live/observerSet.js";
import { useLive } from "../../live/useLive.js";
import type { ExploreState } from "../../query/state/exploreState.js";
import type { Session } from "../../session/session.js";
import { type Probe, type ProbeAsked, useProbe } from "./useProbe.js";

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
  /** What the view shows beside the main answer: those that belong to the same subject, as far as they have come. */
  readonly extras: Readonly<Record<string, Result>>;
  /** What the question lacks to be asked, in words. */
  readonly lacks: string | null;
  readonly probe: Probe;
}

/** Short enough to feel live, long enough for a hundred readers of one server. */
const liveEveryMs = 5_000;

/** Three frames. */
const drawingMs = 50;
/** What stands beside the answer is asked when the answer is drawn: its scan would take processors from the drawing. */
const drawn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, drawingMs));

const noColumns: readonly ColumnInfo[] = [];

/** Asks the state's question whenever it changes or is asked again; choices of how an answer is drawn are no change of it. */
export function useQuestion(
  session: Session,
  { state: shownState, asked, timeZone, columns }: ProbeAsked,
): Question {
  const [state, setState] = useState(shownState);
  if (!isSameQuestion(state, shownState)) setState(shownState);
  const main = useMemo(() => createLiveObserver<Subject>(session.client), [session]);
  const extras = useMemo(() => createObserverSet<Subject>(session.client), [session]);
  const view = viewOf(state.view);
  const known = view.needsColumns ? columns : noColumns;
  const lacks = known === null ? null : view.lacks(state, known);
  const probe = useProbe(session, {
    state,
    asked,
    timeZone,
    columns: lacks === null ? known : null,
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` counts the questions; the same one may be asked again
  useEffect(() => {
    if (known === null || lacks !== null || probe.kind === "pending") {
      main.stop();
      extras.stop();
      return;
    }
    if (probe.kind === "failed") {
      main.refuse(probe.problem);
      extras.stop();
      return;
    }
    const probed = probe.kind === "ready" ? probe.result : null;
    let built: BuiltQuery;
    try {
      const nowMs = Date.now();
      const asWritten = buildQuery(state, { timeZone, nowMs, columns: known, probed });
      built = withWholeBuckets(asWritten, timeZone, nowMs);
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      main.refuse(error);
      extras.stop();
      return;
    }
    const everyMs = state.live ? liveEveryMs : null;
    const subject = { state, built, timeZone, key: printQuery(built.query) };
    const after = main.ask({ query: built.query, subject, everyMs }).then(drawn);
    extras.ask(
      Object.fromEntries(
        Object.entries(built.extras).map(([name, query]) => [
          name,
          { query, subject, everyMs, after },
        ]),
      ),
    );
  }, [main, extras, state, asked, timeZone, known, lacks, probe]);

  useEffect(
    () => () => {
      main.stop();
      extras.stop();
    },
    [main, extras],
  );
  const shown = useLive(main);
  const beside = useLive(extras);
  const subject = shown.answer?.subject;
  const own = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(beside).flatMap(([name, { answer }]) =>
          answer !== null && answer.subject === subject ? [[name, answer.result]] : [],
        ),
      ),
    [beside, subject],
  );
  const isProbing = probe.kind === "pending";
  const current = useMemo(
    () => (isProbing ? { ...shown, problem: null, asking: true, waiting: true } : shown),
    [isProbing, shown],
  );
  return { main: current, extras: own, lacks, probe };
}
