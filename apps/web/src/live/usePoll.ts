import { useSyncExternalStore } from "react";
import type { Poll, PollSnapshot } from "./poll.js";

/** The newest value of a poll. The poll must be stable (useMemo). */
export function usePoll<T>(poll: Poll<T>): PollSnapshot<T> {
  return useSyncExternalStore(poll.subscribe, poll.getSnapshot);
}
