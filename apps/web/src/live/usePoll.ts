import { useSyncExternalStore } from "react";
import type { Poll, PollSnapshot } from "./poll.js";

/** The newest answer of a poll. Give it one that stays the same (useMemo). */
export function usePoll<T>(poll: Poll<T>): PollSnapshot<T> {
  return useSyncExternalStore(poll.subscribe, poll.getSnapshot);
}
