import { HadalError } from "@hadal/sdk";
import { mergeSnapshots, type UnitSnapshot } from "../base/row/unitSnapshot.js";
import { afterMs } from "../base/schedule/deadlines.js";
import { StopController } from "../base/schedule/stopController.js";
import { type AskNodeOptions, askNode } from "./askNode.js";
import { checkAnswers } from "./checkAnswers.js";
import { CollectedAnswers, type CollectOptions } from "./collectedAnswers.js";
import type { ExpectedRows } from "./expectedRows.js";
import { leafIdsOf } from "./queriedNode.js";
import { haveShown } from "./sameMoment.js";
import type { TreeAnswers } from "./treeAnswers.js";

/** `exact`: wait, retry, and refuse rather than answer with less than all. */
export type AskOptions = Omit<AskNodeOptions & CollectOptions, "snapshot"> & {
  readonly expectedRows: Pick<ExpectedRows, "snapshot">;
  /** The units that a first answer has shown: this one has to show the same. Absent: those of now. */
  readonly snapshot?: UnitSnapshot;
};

/** How often leaves are asked until all of them show the same units. */
const roundsMax = 3;

/**
 * Asks all leaves in parallel and collects answers until the deadline. A leaf that is late, dead or broken
 * is left out and named; what it sent before stays, so that completeness never falls. Where leaves knew
 * of different units of another gateway, all are asked again for the widest of what they showed.
 */
export async function askLeaves(options: AskOptions): Promise<TreeAnswers> {
  let known: UnitSnapshot = {};
  for (let round = 1; ; round++) {
    const { answers, snapshot } = await askRound(options, known);
    const next = unitsToAskFor(answers, snapshot);
    const mayAsk = options.snapshot === undefined && options.now() < options.deadline;
    if (next === null || round === roundsMax || !mayAsk) return checkAnswers(answers, options);
    known = next;
  }
}

/** What all leaves can show; null: they have shown the same. */
function unitsToAskFor(
  { answers, snapshot: shown, failures }: TreeAnswers,
  asked: UnitSnapshot,
): UnitSnapshot | null {
  // A leaf has sealed newer units: what it knows itself is new enough, and so is the next own snapshot.
  if ([...failures.values()].some(({ code }) => code === "snapshot-too-old")) return {};
  const leaves = answers.flatMap((part) => part.leaves);
  return haveShown(shown, leaves, asked) ? null : shown;
}

/** `known`: units of other gateways that all leaves are to show. */
async function askRound(
  options: AskOptions,
  known: UnitSnapshot,
): Promise<{ readonly answers: TreeAnswers; readonly snapshot: UnitSnapshot }> {
  const { signal, expectedRows } = options;
  if (signal.aborted) throw new HadalError("cancelled");
  const controller = new StopController();
  const stopAll = (): void => controller.abort();
  signal.addEventListener("abort", stopAll, { once: true });
  const cancelDeadline = afterMs(options.deadline - options.now(), stopAll);
  // In one turn with the expected rows: they have the rows of exactly these units.
  const snapshot = options.snapshot ?? mergeSnapshots(known, expectedRows.snapshot?.() ?? {});
  const collected = new CollectedAnswers({ ...options, snapshot }, controller.signal);
  const asked = { ...options, snapshot, signal: controller.signal };
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
  return { answers: collected.lastAnswers(), snapshot };
}
