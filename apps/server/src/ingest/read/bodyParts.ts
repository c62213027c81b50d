import type { RowBatch } from "../../base/row/rowBatch.js";
import { takeRows } from "../../base/row/takeRows.js";
import type { Attempt } from "../ledger/batchWindow.js";
import type { LeafShares } from "../place/placement.js";
import {
  allShares,
  rangeOfPart,
  rowsInRange,
  type ShareRange,
  shareOfRows,
  sharesPerBatch,
} from "./dealRows.js";

/** The shares of a batch that go to one leaf together. */
export interface LeafRange extends ShareRange {
  /** The leaf they were dealt to; null: any. */
  readonly leafId: string | null;
}

/**
 * A body of more rows is dealt out over leaves; one of so few is a small part of any minute,
 * wherever it goes.
 */
export const wholeRowsMax = 1_024;

/**
 * Ranges of a batch that are not stored yet. Ranges that were sent before keep their rows and ids,
 * also with other leaves; the other shares are dealt again.
 */
export function rangesToStore(
  batchId: string,
  before: ReadonlyMap<string, Attempt>,
  deal: (shareCount: number) => readonly LeafShares[],
): readonly LeafRange[] {
  const isTaken = new Array<boolean>(sharesPerBatch).fill(false);
  const ranges: LeafRange[] = [];
  for (const [id, attempt] of before) {
    const range = rangeOfPart(batchId, id);
    if (range === null) continue;
    isTaken.fill(true, range.first, range.end);
    if (attempt.state === "pending") ranges.push({ ...range, leafId: attempt.leaf });
  }
  const free = isTaken.flatMap((taken, share) => (taken ? [] : [share]));
  if (free.length > 0) {
    let at = 0;
    for (const { leafId, count } of deal(free.length)) {
      ranges.push(...runsOf(free.slice(at, at + count)).map((run) => ({ ...run, leafId })));
      at += count;
    }
  }
  return ranges;
}

/** The same for a body that is too small to be dealt out. */
export function wholeRange(
  batchId: string,
  before: ReadonlyMap<string, Attempt>,
): readonly LeafRange[] {
  return before.get(batchId)?.state === "stored" ? [] : [{ ...allShares, leafId: null }];
}

/** Ranges of a batch that leaves have stored, as they were sent. */
export function storedRanges(
  batchId: string,
  before: ReadonlyMap<string, Attempt>,
): readonly LeafRange[] {
  return [...before].flatMap(([id, { leaf }]) => {
    const range = rangeOfPart(batchId, id);
    return range === null ? [] : [{ ...range, leafId: leaf }];
  });
}

/** The rows in each of some ranges; null where there are none. */
export function cutBatch(
  batch: RowBatch,
  batchId: string,
  ranges: readonly ShareRange[],
): readonly (RowBatch | null)[] {
  const [only] = ranges;
  if (ranges.length === 1 && only?.first === 0 && only.end === allShares.end) return [batch];
  const shares = shareOfRows(batch.rowCount, batchId);
  return ranges.map((range) => {
    const rows = rowsInRange(shares, range);
    return rows.length === 0 ? null : takeRows(batch, rows);
  });
}

/** Neighbouring shares as ranges. */
function runsOf(shares: readonly number[]): ShareRange[] {
  const runs: ShareRange[] = [];
  for (const share of shares) {
    const last = runs.at(-1);
    if (last?.end === share) runs[runs.length - 1] = { first: last.first, end: share + 1 };
    else runs.push({ first: share, end: share + 1 });
  }
  return runs;
}
