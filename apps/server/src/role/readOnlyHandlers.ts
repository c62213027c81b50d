import { HadalError } from "@hadal/sdk";
import type { LeafHandlers } from "../cluster/leafHandlers.js";

/** The handlers of a copy: it answers queries, and takes rows from its source alone. */
export function readOnlyHandlers(handlers: LeafHandlers): LeafHandlers {
  const refuse = async (): Promise<never> => {
    throw new HadalError("unavailable", {
      detail: "This process is the copy of a leaf: rows come from the leaf alone.",
    });
  };
  return {
    ...handlers,
    append: refuse,
    settle: refuse,
    storeHint: refuse,
    takeHint: refuse,
    dropHint: refuse,
    fence: refuse,
    expire: refuse,
    planThinning: refuse,
    planCut: refuse,
    planDrop: refuse,
    reduce: refuse,
    drop: refuse,
  };
}
