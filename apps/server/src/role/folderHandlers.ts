import { HadalError } from "@hadal/sdk";
import type { LeafHandlers } from "../cluster/leafHandlers.js";

/**
 * The handlers of a leaf that takes no more rows once its data folder was deleted: files that are open
 * can still be written and synced, and are gone with the process. What is asked behind an append is
 * answered behind it, although its check takes a while: a leaf that denied a batch it is about to store
 * would have it stored on another leaf, too.
 */
export function folderHandlers(
  leafId: string,
  handlers: LeafHandlers,
  isFolderThere: () => Promise<boolean>,
): LeafHandlers {
  const check = async (): Promise<void> => {
    if (await isFolderThere()) return;
    const detail = "its data folder was deleted while it ran; start it again";
    throw new HadalError("storage-full", { leaf: leafId, detail });
  };
  /** Resolves when the work of all earlier requests has begun, or is refused. */
  let begun: Promise<unknown> = Promise.resolve();
  const inOrder = async <Result>(
    allowed: Promise<void> | null,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    let working: Promise<Result> | undefined;
    const beginning = Promise.all([allowed, begun]).then(() => {
      working = work();
    });
    // One that is refused does not let others pass it.
    begun = Promise.allSettled([begun, beginning]);
    await beginning;
    return working!;
  };
  return {
    ...handlers,
    append: (request, body) => inOrder(check(), () => handlers.append(request, body)),
    storeHint: (request, body) => inOrder(check(), () => handlers.storeHint(request, body)),
    takeHint: (request) => inOrder(check(), () => handlers.takeHint(request)),
    dropHint: (request) => inOrder(null, () => handlers.dropHint(request)),
    listHints: (request) => inOrder(null, () => handlers.listHints(request)),
    holds: (request) => inOrder(null, () => handlers.holds(request)),
    holdsOfBody: (request) => inOrder(null, () => handlers.holdsOfBody(request)),
    undecided: () => inOrder(null, () => handlers.undecided()),
    settle: (request) => inOrder(null, () => handlers.settle(request)),
    fence: (request) => inOrder(null, () => handlers.fence(request)),
    holdings: () => inOrder(null, () => handlers.holdings()),
    heldDays: (request) => inOrder(null, () => handlers.heldDays(request)),
    heldMinutes: (request) => inOrder(null, () => handlers.heldMinutes(request)),
    expire: (request) => inOrder(null, () => handlers.expire(request)),
    planThinning: (request) => inOrder(null, () => handlers.planThinning(request)),
    planCut: (request) => inOrder(null, () => handlers.planCut(request)),
    planDrop: (request) => inOrder(null, () => handlers.planDrop(request)),
    reduce: (request) => inOrder(null, () => handlers.reduce(request)),
    drop: (request) => inOrder(null, () => handlers.drop(request)),
  };
}
