import { useSyncExternalStore } from "react";
import type { LiveObserver, LiveSnapshot } from "./observer.js";

/** The observer's snapshot, kept current. */
export function useLive<S>(observer: LiveObserver<S>): LiveSnapshot<S> {
  return useSyncExternalStore(observer.subscribe, observer.getSnapshot);
}
