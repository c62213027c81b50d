import { useSyncExternalStore } from "react";

/** What an observer shows, kept current. */
export function useLive<T>(observer: {
  subscribe(listener: () => void): () => void;
  getSnapshot(): T;
}): T {
  return useSyncExternalStore(observer.subscribe, observer.getSnapshot);
}
