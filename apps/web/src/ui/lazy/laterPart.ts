import { useEffect, useSyncExternalStore } from "react";

/** A part of the page that is not seen at first: it is loaded when the page has nothing else to do, or when it is wanted. */
export interface LaterPart<Value> {
  load(): Promise<void>;
  /** null until it is there; from then on without any wait. */
  getSnapshot(): Value | null;
  subscribe(listener: () => void): () => void;
}

const parts = new Set<LaterPart<unknown>>();

export function laterPart<Value>(read: () => Promise<Value>): LaterPart<Value> {
  const listeners = new Set<() => void>();
  let value: Value | null = null;
  let loading: Promise<void> | null = null;
  const load = async (): Promise<void> => {
    try {
      value = await read();
    } catch (error) {
      // The next one who wants it tries again.
      loading = null;
      throw error;
    }
    for (const listener of listeners) listener();
  };
  const part: LaterPart<Value> = {
    load() {
      loading ??= load();
      return loading;
    },
    getSnapshot: () => value,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  parts.add(part);
  return part;
}

/** The part, as soon as it is there; it is loaded at once where it is wanted. */
export function useLaterPart<Value>(part: LaterPart<Value>, wanted: boolean): Value | null {
  useEffect(() => {
    if (wanted) void part.load();
  }, [part, wanted]);
  return useSyncExternalStore(part.subscribe, part.getSnapshot);
}

/** Loads all parts, one after another, when the page has nothing else to do. */
export function loadLaterParts(): void {
  const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200));
  idle(async () => {
    // A part that does not come is asked for again when it is wanted.
    for (const part of parts) await part.load().catch(() => undefined);
  });
}
