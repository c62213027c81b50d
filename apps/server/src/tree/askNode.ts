import type { HadalError } from "@hadal/sdk";
import type { StopSignal } from "../base/schedule/stopController.js";
import type { AskOnceOptions } from "./askOnce.js";
import type { CollectedAnswers } from "./collectedAnswers.js";
import { askWithCopies } from "./copies/askWithCopies.js";
import { leafIdsOf, type QueriedNode } from "./queriedNode.js";

export interface AskNodeOptions extends AskOnceOptions {
  /** Ask again while it lacks rows. */
  readonly exact: boolean;
}

/** An exact query asks a leaf that could not answer again after this time. */
const retryMs = 100;
/** A thread that died is replaced; a fault that repeats is permanent, and asking again is useless. */
const failuresMax = 2;
/** How often a leaf is asked whose whole answer lacks rows: rows that it lost do not come back. */
const lackingMax = 3;

/**
 * Asks one node until it has answered, has failed for good, or time is up; resolves with its last problem.
 * Rejects only with a problem of the query.
 */
export async function askNode(
  node: QueriedNode,
  options: AskNodeOptions,
  collected: CollectedAnswers,
): Promise<HadalError | null> {
  const { exact, signal } = options;
  let failed: HadalError | null = null;
  let failureCount = 0;
  let lackingCount = 0;
  while (!signal.aborted) {
    let isDone = false;
    const onCopy: Parameters<typeof askWithCopies>[1]["onCopy"] = (part, progress) => {
      if (exact) collected.forgetRemovedRows([part.partId]);
      collected.addCopy(node, part, progress);
    };
    const isShort = collected.isShort.bind(collected);
    failed = await askWithCopies(node, { ...options, onCopy, isShort }, (answer, progress) => {
      const { done, failures } = progress;
      if (exact && done) collected.forgetRemovedRows(leafIdsOf(node));
      isDone = done;
      if (failures !== undefined) collected.fail(node, failures);
      collected.add(node, answer, progress);
    });
    if (!exact) return failed;
    const isWhole = collected.isWhole(node);
    failureCount += failed?.code === "internal" ? 1 : 0;
    if (isDone && !isWhole) lackingCount++;
    // It has to be asked for other units.
    const isTooOld = failed?.code === "snapshot-too-old";
    const isLeft = isTooOld || failureCount >= failuresMax || lackingCount >= lackingMax;
    if (isWhole || isLeft) return failed;
    await pause(retryMs, signal);
  }
  return failed;
}

function pause(forMs: number, signal: StopSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, forMs);
    signal.addEventListener("abort", end, { once: true });
  });
}
