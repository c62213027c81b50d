import type { AnswerPart } from "../aggregate/cut/askedGroups.js";
import { decodePartialResult } from "../aggregate/merge/partialCodec.js";
import type { LeafQueryStats } from "../cluster/leafReply.js";
import type { EncodedPart, LeafReport } from "../cluster/treeProtocol.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import type { NodeAnswer, QueriedNode } from "./queriedNode.js";
import { leafIdsOf } from "./queriedNode.js";

/** The latest answer of one leaf, or of several that an aggregator merged. */
export interface PartAnswer extends AnswerPart {
  /** All of them are done, or none is. */
  readonly leaves: readonly LeafReport[];
  /** Sums over the leaves; of their scans the longest. */
  readonly stats: LeafQueryStats;
  /** The sender's time, from the query to the encoded answer. */
  readonly workMs: number;
  /** The time from asking to the arrival of the answer. */
  readonly waitMs: number;
  /** The time to decode the answer here. */
  readonly decodeMs: number;
  /** What to ask for these leaves again. */
  readonly source: QueriedNode;
}

/** Decodes what a node sent. Throws when it is no answer to the query, or one of other leaves. */
export function partsOfAnswer(
  node: QueriedNode,
  answer: NodeAnswer,
  resolved: ResolvedQuery,
  { askedMs, now }: { readonly askedMs: number; readonly now: () => number },
): readonly PartAnswer[] {
  checkLeaves(node, answer);
  const waitMs = now() - askedMs;
  return encodedParts(node, answer).map((part) => {
    const startedMs = now();
    const partial = decodePartialResult(part.body, resolved);
    const { leaves } = part;
    const source = sourceOf(node, leaves);
    return {
      partId: source.id,
      ...{ partial, leaves, source, done: leaves.every(({ done }) => done) },
      stats: sumOfStats(leaves),
      workMs: answer.workMs,
      waitMs,
      decodeMs: now() - startedMs,
    };
  });
}

function encodedParts({ id }: QueriedNode, answer: NodeAnswer): readonly EncodedPart[] {
  if ("parts" in answer) return answer.parts;
  const { done, stats, body } = answer;
  return [{ leaves: [{ leafId: id, done, stats }], body }];
}

/** An aggregator answers for the leaves that it was asked for, and for each once (I7). */
function checkLeaves(node: QueriedNode, answer: NodeAnswer): void {
  if (!("parts" in answer)) return;
  const left = new Set(leafIdsOf(node));
  for (const { leaves } of answer.parts) {
    for (const { leafId } of leaves) {
      if (!left.delete(leafId))
        throw new Error(`${leafId} is not to be in this answer of ${node.id}`);
    }
  }
}

function sourceOf(node: QueriedNode, leaves: readonly LeafReport[]): QueriedNode {
  if (node.restrictedTo === undefined || leaves.length === leafIdsOf(node).length) return node;
  return node.restrictedTo(leaves.map(({ leafId }) => leafId));
}

/** Sums over the leaves of a part; of their scans the longest. Throws where there is none. */
export function sumOfStats(leaves: readonly LeafReport[]): LeafQueryStats {
  const [first, ...others] = leaves.map(({ stats }) => stats);
  if (first === undefined) throw new Error("a part of an answer has no leaf");
  return others.reduce((sum, stats) => addStats(sum, stats), first);
}

function addStats(a: LeafQueryStats, b: LeafQueryStats): LeafQueryStats {
  return {
    rowsHeld: a.rowsHeld + b.rowsHeld,
    share: Math.min(a.share, b.share),
    rowsScanned: a.rowsScanned + b.rowsScanned,
    rowsMatched: a.rowsMatched + b.rowsMatched,
    bytesScanned: a.bytesScanned + b.bytesScanned,
    segments: a.segments + b.segments,
    segmentsSkipped: a.segmentsSkipped + b.segmentsSkipped,
    scanMs: Math.max(a.scanMs, b.scanMs),
  };
}
