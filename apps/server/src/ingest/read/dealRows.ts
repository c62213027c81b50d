import { crc32 } from "node:zlib";

/** Shares of each batch of a large body: enough for any split over eight leaves. */
export const sharesPerBatch = 64;

/** Shares [first, end) of one batch. */
export interface ShareRange {
  readonly first: number;
  readonly end: number;
}

export const allShares: ShareRange = { first: 0, end: sharesPerBatch };

/**
 * The share of each row: each of 64 neighbours gets another one, in a new random order for the next
 * 64. So a share is a fair sample of any range of rows; the same seed gives the same shares for a
 * repeated request.
 */
export function shareOfRows(rowCount: number, seed: string): Uint8Array {
  const random = seededRandom(crc32(seed));
  const shares = new Uint8Array(rowCount);
  const order = Uint8Array.from({ length: sharesPerBatch }, (_, i) => i);
  for (let row = 0; row < rowCount; row++) {
    const at = row % sharesPerBatch;
    const other = at + Math.floor(random() * (sharesPerBatch - at));
    const share = order[other]!;
    order[other] = order[at]!;
    order[at] = share;
    shares[row] = share;
  }
  return shares;
}

/** The rows that are in a range of shares, in order. */
export function rowsInRange(shares: Uint8Array, { first, end }: ShareRange): Uint32Array {
  const rows = new Uint32Array(shares.length);
  let count = 0;
  for (let row = 0; row < shares.length; row++) {
    const share = shares[row]!;
    if (share >= first && share < end) rows[count++] = row;
  }
  return rows.subarray(0, count);
}

/** Id of one range of a batch's shares; a batch that goes whole keeps its own. */
export function partId(batchId: string, { first, end }: ShareRange): string {
  return first === 0 && end === sharesPerBatch ? batchId : `${batchId}/${first}-${end}`;
}

/** The shares in the id of a part; null: the id is of another batch. */
export function rangeOfPart(batchId: string, id: string): ShareRange | null {
  if (id === batchId) return allShares;
  const rest = id.startsWith(`${batchId}/`) ? id.slice(batchId.length + 1) : "";
  const found = /^(\d+)-(\d+)$/.exec(rest);
  return found === null ? null : { first: Number(found[1]), end: Number(found[2]) };
}

/** Numbers from 0 to below 1: mulberry32. */
function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
