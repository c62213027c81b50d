import { HadalError } from "@hadal/sdk";

export interface PollSnapshot<T> {
  /** The newest value; it stays while the next request runs, and when it fails. */
  readonly value: T | null;
  /** Why there is no value, or no newer one. */
  readonly problem: HadalError | null;
  /** When the value arrived, in milliseconds since 1970. */
  readonly atMs: number;
}

/** A request that is repeated while it has subscribers. */
export interface Poll<T> {
  getSnapshot(): PollSnapshot<T>;
  subscribe(listener: () => void): () => void;
  /** Sends a request now. */
  refresh(): Promise<void>;
}

export interface PollDeps {
  readonly now: () => number;
  /** Whether the page is visible: a hidden page sends no requests. */
  readonly isVisible: () => boolean;
}

const browser: PollDeps = { now: () => Date.now(), isVisible: () => !document.hidden };

/** Starts with the first subscriber, repeats `everyMs` after each response, stops with the last subscriber. */
export function createPoll<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  everyMs: number,
  { now, isVisible }: PollDeps = browser,
): Poll<T> {
  const listeners = new Set<() => void>();
  let snapshot: PollSnapshot<T> = { value: null, problem: null, atMs: 0 };
  let timer: ReturnType<typeof setTimeout> | null = null;
  let running: AbortController | null = null;

  const show = (next: Partial<PollSnapshot<T>>): void => {
    snapshot = { ...snapshot, ...next };
    for (const listener of listeners) listener();
  };
  const refresh = async (): Promise<void> => {
    running?.abort();
    const mine = new AbortController();
    running = mine;
    try {
      const value = await ask(mine.signal);
      if (running === mine) show({ value, problem: null, atMs: now() });
    } catch (error) {
      if (running === mine) show({ problem: asProblem(error) });
    }
  };
  const tick = async (): Promise<void> => {
    if (isVisible()) await refresh();
    if (listeners.size > 0 && timer !== null) timer = setTimeout(() => void tick(), everyMs);
  };
  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) timer = setTimeout(() => void tick());
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        if (timer !== null) clearTimeout(timer);
        timer = null;
        running?.abort();
        running = null;
      };
    },
    refresh,
  };
}

function asProblem(error: unknown): HadalError {
  if (error instanceof HadalError) return error;
  throw error;
}
