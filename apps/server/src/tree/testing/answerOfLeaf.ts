import type { PartAnswer } from "../partAnswer.js";
import type { QueriedNode } from "../queriedNode.js";

const none = { bytesScanned: 0, segments: 0, segmentsSkipped: 0, scanMs: 0 };

/** What one leaf answered; `rows`: of it, all of which match. */
export function answerOfLeaf(
  leafId: string,
  {
    rows = 0,
    done = true,
    share = done ? 1 : 0.5,
    partial = { sides: [], sample: null },
    source = silent(leafId),
    ...times
  }: {
    readonly rows?: number;
    readonly source?: QueriedNode;
    readonly share?: number;
  } & Partial<Pick<PartAnswer, "partial" | "done" | "workMs" | "decodeMs">> = {},
): PartAnswer {
  const stats = { ...none, rowsHeld: rows, share, rowsScanned: rows, rowsMatched: rows };
  const leaves = [{ leafId, done, stats }];
  return {
    ...{ partId: leafId, partial, done, leaves, stats, source, workMs: 0, waitMs: 0, decodeMs: 0 },
    ...times,
  };
}

const silent = (id: string): QueriedNode => ({ id, streamQuery: async () => {} });
