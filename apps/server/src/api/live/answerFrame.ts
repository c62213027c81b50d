import type { Readable } from "../../base/access/readable.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import type { AnswerSession } from "../../query/answerSession.js";
import type { ApiDeps } from "../context/deps.js";
import type { CheckedFrame } from "./clientFrame.js";
import type { OutgoingFrame } from "./frameOutlet.js";

/** A frame that asks for an answer. */
export type QueryFrame = Exclude<CheckedFrame, { readonly kind: "cancel" | "priority" | "batch" }>;

export interface AnswerOptions {
  /** The id of the query while it runs. */
  readonly queryId: string;
  readonly signal: StopSignal;
  /** Of the socket. */
  readonly session: AnswerSession;
  readonly readable: Readable;
  readonly onPartial: (frame: OutgoingFrame) => void;
}

/** Runs what a frame asks, to the last frame of its answer. */
export async function answerFrame(
  frame: QueryFrame,
  deps: ApiDeps,
  { queryId, signal, session, readable, onPartial }: AnswerOptions,
): Promise<OutgoingFrame> {
  const { id } = frame;
  if (frame.kind === "facets") {
    const facets = await deps.facets(frame.asked.query, {
      ...{ id: queryId, signal, session, readable },
      onPartial: (partial) => onPartial({ kind: "facets", id, facets: partial }),
    });
    return { kind: "facets", id, facets };
  }
  if (frame.kind === "what-changed") {
    const whatChanged = await deps.whatChanged(frame.asked.query, {
      ...{ id: queryId, signal, session, readable },
      onPartial: (partial) => onPartial({ kind: "what-changed", id, whatChanged: partial }),
    });
    return { kind: "what-changed", id, whatChanged };
  }
  const result = await deps.ask(frame.asked.query, {
    ...{ id: queryId, signal, session, readable },
    onPartial: (partial) => onPartial({ kind: "partial", id, ...partial }),
  });
  return { kind: "final", id, ...result };
}
