import { gatherRows } from "../base/gatherRows.js";
import type { RowBatch } from "../base/rowBatch.js";
import type { Attempt } from "./batchWindow.js";
import {
  allShares,
  partId,
  rangeOfPart,
  rowsInRange,
  type ShareRange,
  shareOfRows,
  sharesPerBatch,
} from "./dealRows.js";
import type { LeafShares } from "./placement.js";

/** The rows of a body that go to one leaf together. */
export interface BodyPart {
  readonly batchId: string;
  readonly batch: RowBatch;
  /** The leaf it was dealt to; null: any. */
  readonly leafId: string | null;
}

/** A body of more rows is dealt out over leaves; one of so few is a small part of any minute, wherever it goes. */
export const wholeRowsMax = 1_024;

/**
 * Parts of a batch that are still to be stored. Those that were sent before keep their rows and their ids, whatever
 * leaves there are now; the other shares are dealt anew.
 */
export function partsOf(
  batch: RowBatch,
  batchId: string,
  before: ReadonlyMap<string, Attempt>,
  deal: (shareCount: number) => readonly LeafShares[],
): readonly BodyPart[] {
  const isTaken = new Array<boolean>(sharesPerBatch).fill(false);
  const ranges: (ShareRange & Pick<BodyPart, "leafId">)[] = [];
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
  return cutBatch(batch, batchId, ranges);
}

/** The same for a body that is too small to be dealt out. */
export function wholePart(
  batch: RowBatch,
  batchId: string,
  before: ReadonlyMap<string, Attempt>,
): readonly BodyPart[] {
  return before.get(batchId)?.state === "stored" ? [] : [{ batchId, batch, leafId: null }];
}

/** Parts of a batch that are stored, as they were sent. */
export function storedParts(
  batch: RowBatch,
  batchId: string,
  before: ReadonlyMap<string, Attempt>,
): readonly BodyPart[] {
  const ranges = [...before].flatMap(([id, { leaf }]) => {
    const range = rangeOfPart(batchId, id);
    return range === null ? [] : [{ ...range, leafId: leaf }];
  });
  return ranges.flatMap((range) => cutBatch(batch, batchId, [range]));
}

function cutBatch(
  batch: RowBatch,
  batchId: string,
  ranges: readonly (ShareRange & Pick<BodyPart, "leafId">)[],
): BodyPart[] {
  const [only] = ranges;
  if (ranges.length === 1 && only?.first === 0 && only.end === allShares.end)
    return [{ batchId, batch, leafId: only.leafId }];
  const shares = shareOfRows(batch.rowCount, batchId);
  return ranges.flatMap(({ leafId, ...range }) => {
    const rows = rowsInRange(shares, range);
    if (rows.length === 0) return [];
    return [{ batchId: partId(batchId, range), batch: gatherRows(batch, rows), leafId }];
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
