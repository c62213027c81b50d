import { useSyncExternalStore } from "react";

/** The current snapshot of an observer. */
export function useLive<T>(observer: {
  subscribe(listener: () => void): () => void;
  getSnapshot(): T;
}): T {
  return useSyncExternalStore(observer.subscribe, observer.getSnapshot);
}
