import { type ColumnInfo, HadalError, printQuery, type Result } from "@hadal/sdk";
import { useEffect, useMemo, useState } from "react";
import { viewOf } from "../../chart/view/views.js";
import { type BuiltQuery, buildQuery } from "../../draft/ask/buildQuery.js";
import { withWholeBuckets } from "../../draft/ask/wholeBuckets.js";
import { isSameQuestion } from "../../draft/url/sameQuestion.js";
import {
  createLiveObserver,
  type LiveAsker,
  type LiveObserver,
  type LiveSnapshot,
} from "../../live/observer.js";
import { createObserverSet, type ObserverSet } from "../../live/observerSet.js";
import { useLive } from "../../live/useLive.js";
import type { ExploreState } from "../../query/state/exploreState.js";
import type { PanelSession } from "./panelSession.js";
import { type Probe, type ProbeAsked, useProbe } from "./useProbe.js";

/** The state and query that a result belongs to. */
export interface Subject {
  readonly state: ExploreState;
  readonly built: BuiltQuery;
  readonly timeZone: string;
  /** The same for each run of the same query. */
  readonly key: string;
}

export interface Question {
  readonly main: LiveSnapshot<Subject>;
  /** Extra results of the view that belong to the same subject and have arrived. */
  readonly extras: Readonly<Record<string, Result>>;
  /** What the state lacks for a query, in words. */
  readonly lacks: string | null;
  readonly probe: Probe;
}

/** Short enough to look live, long enough for a hundred users of one server. */
const liveEveryMs = 5_000;

/** Three frames of the screen. */
const drawingMs = 50;
/** Extra queries start when the result is drawn: their scans would take processors from the drawing. */
const drawn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, drawingMs));

const noColumns: readonly ColumnInfo[] = [];

/** What to ask; by default over the session's client, and at once. */
export interface QuestionAsked extends ProbeAsked {
  readonly asker?: LiveAsker;
  /** False while no one can see the answer: the last one stays, and nothing is asked. */
  readonly wanted?: boolean;
  /** Longest range that may be asked for; default: any. */
  readonly rangeMsMax?: number;
}

/** Runs the state's query when it changes or is asked again. Choices of how a result is drawn do not change it. */
export function useQuestion(session: PanelSession, shown: QuestionAsked): Question {
  const { asked, timeZone, columns, asker = session.client, wanted = true, rangeMsMax } = shown;
  const [state, setState] = useState(shown.state);
  if (!isSameQuestion(state, shown.state)) setState(shown.state);
  const view = viewOf(state.view);
  const known = view.needsColumns ? columns : noColumns;
  const lacks = known === null ? null : view.lacks(state, known);
  const probe = useProbe(session, {
    state,
    asked,
    timeZone,
    columns: wanted && lacks === null ? known : null,
  });
  const observers = useObservers(asker);
  const { main, extras } = observers;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` counts the runs; the same query may run again
  useEffect(() => {
    if (!wanted || known === null || lacks !== null || probe.kind === "pending") {
      main.stop();
      extras.stop();
    } else if (probe.kind === "failed") refuse(observers, probe.problem);
    else {
      const probed = probe.kind === "ready" ? probe.result : null;
      run(observers, { state, timeZone, columns: known, probed, rangeMsMax });
    }
  }, [observers, state, asked, timeZone, known, lacks, probe, wanted, rangeMsMax]);
  const beside = useLive(extras);
  const snapshot = useLive(main);
  const subject = snapshot.answer?.subject;
  const own = useMemo(() => resultsOf(beside, subject), [beside, subject]);
  const isProbing = probe.kind === "pending";
  const current = useMemo(
    () => (isProbing ? { ...snapshot, problem: null, asking: true, waiting: true } : snapshot),
    [isProbing, snapshot],
  );
  return { main: current, extras: own, lacks, probe };
}

/** The live queries of a panel: its result, and the extra results that its view shows. */
interface Observers {
  readonly main: LiveObserver<Subject>;
  readonly extras: ObserverSet<Subject>;
}

/** They stop when the panel is removed. */
function useObservers(asker: LiveAsker): Observers {
  const observers = useMemo(
    () => ({
      main: createLiveObserver<Subject>(asker),
      extras: createObserverSet<Subject>(asker),
    }),
    [asker],
  );
  useEffect(
    () => () => {
      observers.main.stop();
      observers.extras.stop();
    },
    [observers],
  );
  return observers;
}

function refuse({ main, extras }: Observers, problem: HadalError): void {
  main.refuse(problem);
  extras.stop();
}

interface Asked {
  readonly state: ExploreState;
  readonly timeZone: string;
  readonly columns: readonly ColumnInfo[];
  readonly probed: Result | null;
  readonly rangeMsMax: number | undefined;
}

function run(observers: Observers, asked: Asked): void {
  const { state, timeZone, columns, probed, rangeMsMax } = asked;
  let built: BuiltQuery;
  try {
    const nowMs = Date.now();
    const asWritten = buildQuery(state, { timeZone, nowMs, columns, probed });
    built = withWholeBuckets(asWritten, timeZone, nowMs, rangeMsMax);
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    refuse(observers, error);
    return;
  }
  const everyMs = state.live ? liveEveryMs : null;
  const subject = { state, built, timeZone, key: printQuery(built.query) };
  const after = observers.main.ask({ query: built.query, subject, everyMs }).then(drawn);
  const extras = Object.entries(built.extras).map(
    ([name, query]) => [name, { query, subject, everyMs, after }] as const,
  );
  observers.extras.ask(Object.fromEntries(extras));
}

/** The results that belong to the subject of the main result. */
function resultsOf(
  snapshots: ReturnType<ObserverSet<Subject>["getSnapshot"]>,
  subject: Subject | undefined,
): Readonly<Record<string, Result>> {
  return Object.fromEntries(
    Object.entries(snapshots).flatMap(([name, { answer }]) =>
      answer !== null && answer.subject === subject ? [[name, answer.result]] : [],
    ),
  );
}
