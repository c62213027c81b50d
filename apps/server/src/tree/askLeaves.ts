import { HadalError } from "@hadal/sdk";
import { afterMs } from "../base/schedule/deadlines.js";
import { StopController } from "../base/schedule/stopController.js";
import { type AskNodeOptions, askNode } from "./askNode.js";
import { checkAnswers } from "./checkAnswers.js";
import { CollectedAnswers, type CollectOptions } from "./collectedAnswers.js";
import { leafIdsOf } from "./queriedNode.js";
import type { TreeAnswers } from "./treeAnswers.js";

/** `exact`: wait, retry, and refuse rather than answer with less than all. */
export type AskOptions = AskNodeOptions & CollectOptions;

/**
 * Asks all leaves in parallel and collects answers until the deadline. A leaf that is late, dead or broken
 * is left out and named; what it sent before stays, so that completeness never falls.
 */
export async function askLeaves(options: AskOptions): Promise<TreeAnswers> {
  const { signal } = options;
  if (signal.aborted) throw new HadalError("cancelled");
  const controller = new StopController();
  const stopAll = (): void => controller.abort();
  signal.addEventListener("abort", stopAll, { once: true });
  const cancelDeadline = afterMs(options.deadline - options.now(), stopAll);
  const collected = new CollectedAnswers(options, controller.signal);
  const asked = { ...options, signal: controller.signal };
  try {
    await Promise.all(
      options.leaves.map(async (node) => {
        const failed = await askNode(node, asked, collected);
        collected.end(node);
        if (failed === null) return;
        collected.fail(node, new Map(leafIdsOf(node).map((leafId) => [leafId, failed])));
      }),
    );
  } finally {
    cancelDeadline();
    signal.removeEventListener("abort", stopAll);
    // A problem of the query itself ends it on the other leaves too.
    controller.abort();
  }
  if (signal.aborted) throw new HadalError("cancelled");
  return checkAnswers(collected.lastAnswers(), options);
}
