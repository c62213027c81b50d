import { type HadalError, type LiveOptions, printQuery, type Query, type Result } from "@hadal/sdk";

/** Starts live queries: the SDK's client, or a batch of them (batchAsker.ts). */
export interface LiveAsker {
  live(query: Query, options: LiveOptions): { stop(): void };
}

/** A query and its subject, which every result of it carries. */
export interface Question<S> {
  readonly query: Query;
  readonly subject: S;
  /** Run again this long after each result; null: run once. */
  readonly everyMs: number | null;
  /** The query starts after this: an extra query must not delay the main one. */
  readonly after?: Promise<void>;
}

export interface Answer<S> {
  readonly result: Result;
  readonly subject: S;
}

export interface LiveSnapshot<S> {
  /** The newest result; the old query's result stays until the new query's first one. */
  readonly answer: Answer<S> | null;
  /** Why the newest query has no result, or no newer one. */
  readonly problem: HadalError | null;
  /** The newest query has started, and none of its frames is shown. */
  readonly asking: boolean;
  /** The result shown is of an older query. */
  readonly waiting: boolean;
  /** The result shown is partial; more frames follow. */
  readonly streaming: boolean;
}

/** Observes one panel's live query, without a framework. A new query stops the one before. */
export interface LiveObserver<S> {
  getSnapshot(): LiveSnapshot<S>;
  subscribe(listener: () => void): () => void;
  /** Resolves at the first frame, the problem, or the stop. */
  ask(question: Question<S>): Promise<void>;
  /** Shows a problem that was found before the query could start. */
  refuse(problem: HadalError): void;
  stop(): void;
}

const quiet = { asking: false, waiting: false, streaming: false };

export function createLiveObserver<S>(client: LiveAsker): LiveObserver<S> {
  const shown = createSnapshot<S>();
  let running: { stop(): void } | null = null;
  let shownText: string | null = null;

  const halt = (): void => {
    running?.stop();
    running = null;
  };
  const ask = (question: Question<S>): Promise<void> => {
    halt();
    const { subject } = question;
    const text = printQuery(question.query);
    // A complete result of the same query, seconds old, is better than a part of the new one:
    // parts replace only the result of another query.
    const isWhole = (): boolean => shownText === text && shown.get().answer?.result.final === true;
    const { answer } = shown.get();
    const again = answer !== null && isWhole();
    // Only the drawing may have changed: the old result is shown with the new subject at once.
    const drawn = again && { answer: { ...answer, subject } };
    shown.set({ asking: true, waiting: !again, problem: null, ...drawn });
    return new Promise((heard) => {
      const run = createRun(client, question, {
        onHeard: heard,
        onResult(result) {
          if (!result.final && isWhole()) return;
          shownText = text;
          const streaming = !result.final;
          shown.set({ answer: { result, subject }, problem: null, ...quiet, streaming });
        },
        onProblem: (problem) => shown.set({ problem, ...quiet }),
      });
      running = run;
      run.start();
    });
  };
  return {
    getSnapshot: shown.get,
    subscribe: shown.subscribe,
    ask,
    refuse(problem) {
      halt();
      shown.set({ problem, ...quiet });
    },
    stop() {
      halt();
      const { asking, streaming } = shown.get();
      if (asking || streaming) shown.set({ asking: false, streaming: false });
    },
  };
}

/** The snapshot and its listeners. */
function createSnapshot<S>() {
  const listeners = new Set<() => void>();
  let snapshot: LiveSnapshot<S> = { answer: null, problem: null, ...quiet };
  return {
    get: (): LiveSnapshot<S> => snapshot,
    set(next: Partial<LiveSnapshot<S>>): void {
      snapshot = { ...snapshot, ...next };
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

interface RunListeners {
  /** The first frame, the problem, or the stop. */
  readonly onHeard: () => void;
  readonly onResult: (result: Result) => void;
  readonly onProblem: (problem: HadalError) => void;
}

/** One run of a question. After a stop it reports neither results nor problems. */
function createRun<S>(
  client: LiveAsker,
  { query, everyMs, after }: Question<S>,
  { onHeard, onResult, onProblem }: RunListeners,
): { start(): void; stop(): void } {
  let isStopped = false;
  let live: { stop(): void } | null = null;
  const open = (): void => {
    if (isStopped) return;
    live = client.live(query, {
      ...(everyMs === null ? {} : { everyMs }),
      onResult: (result) => {
        onHeard();
        if (!isStopped) onResult(result);
      },
      onProblem: (error) => {
        onHeard();
        if (!isStopped) onProblem(error);
      },
    });
  };
  return {
    start() {
      if (after === undefined) open();
      else void after.then(open);
    },
    stop() {
      isStopped = true;
      onHeard();
      live?.stop();
    },
  };
}
