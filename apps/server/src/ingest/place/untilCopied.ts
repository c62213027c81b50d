import { HadalError } from "@hadal/sdk";
import { askLeaf } from "./askLeaf.js";
import type { LeafTarget } from "./leafTarget.js";

/** Copies follow within milliseconds; one that is away is not waited for longer. */
const copyWaitMsMax = 3_000;

/**
 * Resolves when a leaf and its copy have each of these batches on their disks. Rejects with
 * `unavailable` where one of them has not in time: its rows are stored, on one machine.
 */
export async function untilCopied(
  leaves: readonly LeafTarget[],
  table: string,
  batchIds: readonly string[],
): Promise<void> {
  const request = { kind: "awaitCopy", table, batchIds, waitMs: copyWaitMsMax } as const;
  const answers = await Promise.all(
    leaves
      .filter(({ state }) => state !== "dead")
      .map((leaf) =>
        askLeaf(leaf, request, undefined, (header) =>
          header.kind === "copied" ? header.batchIds : null,
        ),
      ),
  );
  const copied = new Set(
    answers.flatMap((answer) => (answer.kind === "answered" ? answer.outcome : [])),
  );
  if (batchIds.every((batchId) => copied.has(batchId))) return;
  const detail =
    "The rows are stored, but not on a second machine: no copy had them in time. Send the request again with the same Idempotency-Key to wait for it.";
  throw new HadalError("unavailable", { detail }, [{ code: "not-copied", detail }]);
}
