import { randomUUID } from "node:crypto";
import { HadalError } from "@hadal/sdk";
import type { UnitSnapshot } from "../base/row/unitSnapshot.js";
import type { StopSignal } from "../base/schedule/stopController.js";
import type { StreamedParts } from "../cluster/treeProtocol.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import type { NodeProgress } from "./askedNodes.js";
import { type PartAnswer, partsOfAnswer } from "./partAnswer.js";
import type { QueriedNode } from "./queriedNode.js";

export interface AskOnceOptions {
  readonly resolved: ResolvedQuery;
  /** On the clock of `now`. */
  readonly deadline: number;
  readonly signal: StopSignal;
  /** The units that are visible; absent: as the leaves know. */
  readonly snapshot?: UnitSnapshot;
  /** For the log: an error of this process, which people see only as an internal problem. */
  readonly onError: (text: string, error: unknown) => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** `failures`: of an aggregator's leaves. */
export type OnAnswer = (
  answer: readonly PartAnswer[],
  sent: NodeProgress & Partial<Pick<StreamedParts, "failures">>,
) => void;

/**
 * Asks one node; each answer replaces the one before. Resolves with the node's problem, or null: it
 * has answered, cannot be reached, or time is up. Rejects only with a problem of the query.
 */
export async function askOnce(
  node: QueriedNode,
  { resolved, deadline, signal, snapshot, onError, now }: AskOnceOptions,
  onAnswer: OnAnswer,
): Promise<HadalError | null> {
  try {
    const askedMs = now();
    const budgetMs = Math.max(0, deadline - askedMs);
    const asked = node.streamQuery(resolved, {
      ...{ budgetMs, signal },
      ...(snapshot && { snapshot }),
      onPartial(sent) {
        const waitMs = now() - askedMs;
        const { done } = sent;
        const { failures, trace } = "parts" in sent ? sent : noParts;
        const parts = partsOfAnswer(node, sent, resolved, { askedMs, now });
        onAnswer(parts, { done, waitMs, ...(failures && { failures }), ...(trace && { trace }) });
      },
    });
    await untilAborted(asked, signal);
    return null;
  } catch (error) {
    if (isAboutQuery(error)) throw error;
    return isLost(error) ? null : asProblem(error, node.id, onError);
  }
}

const noParts: Partial<Pick<StreamedParts, "failures" | "trace">> = {};

/** No answer: the leaf is gone, or the query has ended. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof HadalError)) return false;
  return error.code === "connection-lost" || error.code === "cancelled";
}

function asProblem(error: unknown, leafId: string, onError: AskOnceOptions["onError"]): HadalError {
  if (error instanceof HadalError) return error;
  const id = randomUUID();
  onError(`problem ${id}, with the answer of ${leafId}`, error);
  return new HadalError("internal", { id });
}

/** Whether a query failed only because leaves did not answer. */
export function isNoAnswer(error: unknown): boolean {
  return error instanceof HadalError && error.code !== "cancelled" && !isAboutQuery(error);
}

/** Problems that any leaf would have with this query, or that binding the query again solves. */
function isAboutQuery(error: unknown): boolean {
  if (!(error instanceof HadalError)) return false;
  if (error.code === "schema-changed") return true;
  return !error.retry && error.status < 500 && error.code !== "cancelled";
}

/** Does not wait for a leaf that is slow to notice the abort. */
function untilAborted(asked: Promise<void>, signal: StopSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve();
    signal.addEventListener("abort", stop, { once: true });
    asked.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
