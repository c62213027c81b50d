import { HadalError } from "@hadal/sdk";
import type { CopyRequest } from "./copyProtocol.js";
import type { LeafHandlers } from "./leafHandlers.js";
import type { LeafRequest } from "./leafProtocol.js";
import type { LeafReply } from "./leafReply.js";

/** Every request that has one reply; queries stream theirs. */
export type SingleRequest = Exclude<
  LeafRequest,
  { readonly kind: "query" | "cancel" } | CopyRequest
>;

/** Which handler answers a request, and with which reply. */
export async function answerRequest(
  handlers: LeafHandlers,
  request: SingleRequest,
  body: Uint8Array,
): Promise<LeafReply> {
  const { id } = request;
  switch (request.kind) {
    case "append":
      return { kind: "appended", id, ...(await handlers.append(request, body)) };
    case "holds":
      return { kind: "holding", id, batches: await handlers.holds(request) };
    case "holdsOfBody":
      return { kind: "holding", id, batches: await handlers.holdsOfBody(request) };
    case "settle":
      await handlers.settle(request);
      return { kind: "done", id };
    case "undecided":
      return { kind: "undecided", id, ...(await handlers.undecided()) };
    case "setAside":
      await handlers.storeHint(request, body);
      return { kind: "done", id };
    case "takeAside": {
      const appended = await handlers.takeHint(request);
      if (appended === null) return { kind: "holding", id, batches: [] };
      return { kind: "appended", id, ...appended };
    }
    case "dropAside":
      await handlers.dropHint(request);
      return { kind: "done", id };
    case "asides":
      return { kind: "asides", id, ...(await handlers.listHints(request)) };
    case "expire":
      return { kind: "expiring", id, ...(await handlers.expire(request)) };
    case "planThinning":
      return { kind: "expiring", id, ...(await handlers.planThinning(request)) };
    case "planCut":
      return { kind: "expiring", id, ...(await handlers.planCut(request)) };
    case "planDrop":
      return { kind: "expiring", id, ...(await handlers.planDrop(request)) };
    case "reduce":
      await handlers.reduce(request);
      return { kind: "done", id };
    case "drop":
      await handlers.drop(request);
      return { kind: "done", id };
    case "fence":
      await handlers.fence(request);
      return { kind: "done", id };
    case "holdings":
      return { kind: "holdings", id, ...(await handlers.holdings()) };
    case "heldDays":
      return { kind: "heldDays", id, ...(await handlers.heldDays(request)) };
    case "heldMinutes":
      return { kind: "heldMinutes", id, ...(await handlers.heldMinutes(request)) };
    case "forms":
      return { kind: "forms", id, columns: await handlers.forms(request) };
    case "describe":
      return { kind: "described", id, tables: await handlers.describe(request) };
    case "awaitCopy":
      return { kind: "copied", id, batchIds: await handlers.awaitCopy(request) };
    case "status":
      return { kind: "status", id, status: await handlers.status() };
    default:
      throw new HadalError("bad-request", { detail: "The leaf does not know this request." });
  }
}
