import { HadalError } from "@hadal/sdk";
import { afterMs } from "../../base/schedule/deadlines.js";
import type { LeafReply } from "../../cluster/leafReply.js";
import type { LeafIngestRequest, LeafTarget } from "./leafTarget.js";

/** Long enough for a busy disk's sync; the leaf's own group syncs take milliseconds. */
export const appendTimeoutMs = 10_000;

/** A leaf's answer, or that none came: then it may have acted or not. */
export type LeafAnswer<Outcome> =
  | { readonly kind: "answered"; readonly outcome: Outcome }
  | { readonly kind: "refused"; readonly problem: HadalError }
  | { readonly kind: "unknown" };

/** `read` returns null for a reply of another kind. */
export async function askLeaf<Outcome>(
  leaf: LeafTarget,
  request: LeafIngestRequest,
  body: Uint8Array | undefined,
  read: (header: LeafReply) => Outcome | null,
): Promise<LeafAnswer<Outcome>> {
  try {
    const { header } = await leaf.request(request, body, { timeoutMs: appendTimeoutMs });
    if (header.kind === "problem") throw HadalError.fromProblem(header.problem);
    const outcome = read(header);
    return outcome === null ? { kind: "unknown" } : { kind: "answered", outcome };
  } catch (error) {
    const answered = error instanceof HadalError && !saysNothing(error);
    return answered ? { kind: "refused", problem: error } : { kind: "unknown" };
  }
}

/** Resolves with `unknown` where the answer takes longer than that; it may still come. */
export function answerWithin<Outcome>(
  ms: number,
  answering: Promise<LeafAnswer<Outcome>>,
): Promise<LeafAnswer<Outcome>> {
  return new Promise((resolve, reject) => {
    const callOff = afterMs(ms, () => resolve({ kind: "unknown" }));
    answering.then(resolve, reject).finally(callOff);
  });
}

/** Problems of the connection, and those after which the leaf may have acted or not. */
function saysNothing({ code }: HadalError): boolean {
  return (
    code === "connection-lost" ||
    code === "leaf-unreachable" ||
    code === "cancelled" ||
    code === "internal"
  );
}
