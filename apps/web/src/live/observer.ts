import {
  type HadalClient,
  type HadalError,
  type LiveQuery,
  printQuery,
  type Query,
  type Result,
} from "@hadal/sdk";

/** A question and what it was asked for; the subject comes back with its answers. */
export interface Question<S> {
  readonly query: Query;
  readonly subject: S;
  /** Ask again this long after each answer; null: ask once. */
  readonly everyMs: number | null;
  /** It is not asked before this: what stands beside an answer must not keep it waiting. */
  readonly after?: Promise<void>;
}

export interface Answer<S> {
  readonly result: Result;
  readonly subject: S;
}

export interface LiveSnapshot<S> {
  /** The newest answer; an old question's answer stays until the first of the new one. */
  readonly answer: Answer<S> | null;
  /** Why the newest question has no answer, or no newer one. */
  readonly problem: HadalError | null;
  /** The newest question was asked, and nothing was shown of what is heard of it. */
  readonly asking: boolean;
  /** The answer shown is not of the newest question. */
  readonly waiting: boolean;
  /** The answer shown is a part of what is coming. */
  readonly streaming: boolean;
}

/** Watches one panel's live query, without any framework. A new question ends the one before. */
export interface LiveObserver<S> {
  getSnapshot(): LiveSnapshot<S>;
  subscribe(listener: () => void): () => void;
  /** Resolves with the first frame, the problem, or the end of the question. */
  ask(question: Question<S>): Promise<void>;
  /** Shows a problem that was found before anything could be asked. */
  refuse(problem: HadalError): void;
  stop(): void;
}

const quiet = { asking: false, waiting: false, streaming: false };

export function createLiveObserver<S>(client: Pick<HadalClient, "live">): LiveObserver<S> {
  const listeners = new Set<() => void>();
  let snapshot: LiveSnapshot<S> = { answer: null, problem: null, ...quiet };
  let running: { stop(): void } | null = null;
  let shownText: string | null = null;

  const show = (next: Partial<LiveSnapshot<S>>): void => {
    snapshot = { ...snapshot, ...next };
    for (const listener of listeners) listener();
  };
  const halt = (): void => {
    running?.stop();
    running = null;
  };
  const ask = ({ query, subject, everyMs, after }: Question<S>): Promise<void> => {
    halt();
    const text = printQuery(query);
    let current = true;
    // The whole answer of the same question, seconds old, is a better picture than a part of the
    // new one: parts replace it only where it is another question's.
    const isWhole = (): boolean => shownText === text && snapshot.answer?.result.final === true;
    const takes = (result: Result): boolean => result.final || !isWhole();
    const { answer } = snapshot;
    // The answer is there already where only its drawing changes.
    const again = answer !== null && isWhole();
    const drawn = again && { answer: { ...answer, subject } };
    show({ asking: true, waiting: !again, problem: null, ...drawn });
    return new Promise((heard) => {
      let live: LiveQuery | null = null;
      const start = (): void => {
        live = client.live(query, {
          ...(everyMs === null ? {} : { everyMs }),
          onResult: (result) => {
            heard();
            if (!current || !takes(result)) return;
            shownText = text;
            const streaming = !result.final;
            show({ answer: { result, subject }, problem: null, ...quiet, streaming });
          },
          onProblem: (error) => {
            heard();
            if (current) show({ problem: error, ...quiet });
          },
        });
      };
      running = {
        stop() {
          current = false;
          heard();
          live?.stop();
        },
      };
      if (after === undefined) start();
      else
        void after.then(() => {
          if (current) start();
        });
    });
  };
  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ask,
    refuse(problem) {
      halt();
      show({ problem, ...quiet });
    },
    stop() {
      halt();
      if (snapshot.asking || snapshot.streaming) show({ asking: false, streaming: false });
    },
  };
}
