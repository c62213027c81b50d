import type { SealedSegment } from "./sealedSegment.js";

/** The bytes of a table on one leaf. */
export interface HeldBytes {
  /** Of sealed segments and of the open one, */
  readonly rowBytes: number;
  /** and of the strings that rows name by number: they go when no row of their column is left. */
  readonly dictionaryBytes: number;
  /** By which the rows have grown since the last look. */
  readonly grownBytes: number;
}

/**
 * Rows that go because of a bound on bytes: segments as a whole, and then the oldest rows of one.
 */
export interface ByteCut {
  readonly whole: readonly SealedSegment[];
  readonly edge: SegmentCut | null;
}

export interface SegmentCut {
  readonly segment: SealedSegment;
  readonly keepNewest: number;
}

/** Share of the bound that is freed when it is reached: each cut rewrites a segment. */
const freedShare = 0.04;
/**
 * Largest share kept free for rows until the next look: less than what is freed, or each look would
 * cut a segment.
 */
const growthShareMax = 0.02;
/** However long its strings are, rows keep this share of the bound. */
const rowsShareMin = 0.5;
/**
 * The open segment takes several times what its rows will take once sealed: it is sealed when it
 * takes more than this share of the bound.
 */
const openShareMax = 1 / 32;

/** What retention has seen of a table's bytes, from one look to the next. */
export class ByteBound {
  /** The open segment is sealed when it takes more. */
  openBytesMax = Number.POSITIVE_INFINITY;
  #seenBytes: number | null = null;
  #grownBytes = 0;

  set(maxBytes: number | null): void {
    this.openBytesMax = maxBytes === null ? Number.POSITIVE_INFINITY : maxBytes * openShareMax;
  }

  /** The table's bytes now, with the growth of its rows since the last look. */
  look(sealedBytes: number, openBytes: number, dictionaryBytes: number): HeldBytes {
    const { rowBytes } = this.held(sealedBytes, openBytes, dictionaryBytes);
    this.#grownBytes = rowBytes - (this.#seenBytes ?? rowBytes);
    this.#seenBytes = rowBytes;
    return this.held(sealedBytes, openBytes, dictionaryBytes);
  }

  held(sealedBytes: number, openBytes: number, dictionaryBytes: number): HeldBytes {
    // An open segment that takes more is sealed with the next batch, and much smaller then.
    const rowBytes = sealedBytes + Math.min(openBytes, this.openBytesMax);
    return { rowBytes, dictionaryBytes, grownBytes: this.#grownBytes };
  }
}

/**
 * The oldest rows to remove for a bound on bytes; none while as many rows fit as arrived since the
 * last look.
 */
export function chooseCut(
  segments: readonly SealedSegment[],
  { rowBytes, dictionaryBytes, grownBytes }: HeldBytes,
  maxBytes: number,
): ByteCut {
  const whole: SealedSegment[] = [];
  const freedBytes = maxBytes * freedShare;
  const bound = Math.max(maxBytes - dictionaryBytes, maxBytes * rowsShareMin);
  const high = bound - Math.min(Math.max(grownBytes, 0), maxBytes * growthShareMax);
  const low = bound - freedBytes;
  let bytes = rowBytes;
  if (bytes <= high) return { whole, edge: null };
  for (const segment of segments.toSorted((a, b) => a.maxMs - b.maxMs)) {
    const excess = bytes - low;
    if (segment.bytes > excess) {
      if (bytes <= high) break;
      const keepNewest = Math.floor(segment.rowCount * (1 - excess / segment.bytes));
      // In a rewritten segment, lost values would look like missing ones: the segment goes as a
      // whole.
      if (segment.lostColumns.size === 0)
        return { whole, edge: { segment, keepNewest: Math.max(1, keepNewest) } };
    }
    whole.push(segment);
    bytes -= segment.bytes;
  }
  return { whole, edge: null };
}
