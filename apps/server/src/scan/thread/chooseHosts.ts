import type { ScanTask } from "../task/scanTask.js";
import type { ScanHost } from "./scanHost.js";
import { isShort } from "./shortTask.js";

/** Who scans on a leaf. */
export interface ScanHosts {
  readonly threads: readonly ScanHost[];
  readonly main: ScanHost & { takes(task: ScanTask): boolean };
  /** For short tasks alone, where there is room for it. */
  readonly quick: ScanHost | null;
}

/** So that one segment never keeps the quick thread for long. */
const quickGroupsMax = { plain: 16_384, heavy: 1_024 };

/**
 * Chooses a host for each lane of a query. The main thread is last: it begins at once, when the
 * others have their tasks. A short task that the main thread does not take runs on the quick thread
 * while the others are busy: a segment of many groups keeps a thread for hundreds of milliseconds.
 */
export function chooseHosts(
  { threads, main, quick }: ScanHosts,
  lanes: readonly ScanTask[],
): readonly ScanHost[] {
  // Least busy first, so that short queries do not queue behind a long one.
  const inOrder = threads.toSorted((a, b) => a.running - b.running);
  if (main.takes(lanes[0]!)) return [...inOrder.slice(0, lanes.length - 1), main];
  const isBusy = (inOrder[lanes.length - 1]?.running ?? 0) > 0;
  if (quick === null || !isBusy || !lanes.every((task) => isShort(task, quickGroupsMax)))
    return inOrder;
  return [...inOrder.slice(0, lanes.length - 1), quick];
}
