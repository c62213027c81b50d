import { useEffect, useSyncExternalStore } from "react";

/** A module that the first page does not need: loaded when the page is idle, or on demand. */
export interface LaterPart<Value> {
  load(): Promise<void>;
  /** null until it is loaded. */
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
      // The next call tries again.
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

/** The part once it is loaded, else null. With `wanted` it is loaded at once. */
export function useLaterPart<Value>(
  part: LaterPart<Value>,
  { wanted }: { readonly wanted: boolean },
): Value | null {
  useEffect(() => {
    if (wanted) void part.load();
  }, [part, wanted]);
  return useSyncExternalStore(part.subscribe, part.getSnapshot);
}

/** Loads all parts, one after another, when the page is idle. */
export function loadLaterParts(): void {
  const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200));
  idle(async () => {
    // A part that fails to load is loaded again on demand.
    for (const part of parts) await part.load().catch(() => undefined);
  });
}
