/** Lines on their way to one request, and which of the pushed rows each line is. */
export interface LineBatch {
  readonly lines: readonly string[];
  readonly rowNumbers: readonly number[];
}

export interface RowBuffer {
  /** Adds a line; the batches that are thereby full, in order. */
  add(line: string, rowNumber: number): LineBatch[];
  /** What is left, if anything. */
  take(): LineBatch | null;
  readonly rowCount: number;
}

/** The server's own limit is wider; this keeps a retry cheap. */
export const batchBytesMax = 4_194_304;

/** Collects lines until they are `batchRows` or {@link batchBytesMax}. */
export function createRowBuffer(batchRows: number): RowBuffer {
  let lines: string[] = [];
  let rowNumbers: number[] = [];
  let bytes = 0;

  const take = (): LineBatch | null => {
    if (lines.length === 0) return null;
    const batch = { lines, rowNumbers };
    lines = [];
    rowNumbers = [];
    bytes = 0;
    return batch;
  };

  return {
    add(line, rowNumber) {
      const full: LineBatch[] = [];
      const lineBytes = utf8Bytes(line) + 1;
      if (bytes + lineBytes > batchBytesMax) {
        const batch = take();
        if (batch !== null) full.push(batch);
      }
      lines.push(line);
      rowNumbers.push(rowNumber);
      bytes += lineBytes;
      if (lines.length >= batchRows) {
        const batch = take();
        if (batch !== null) full.push(batch);
      }
      return full;
    },
    take,
    get rowCount() {
      return lines.length;
    },
  };
}

/** Bytes of a well-formed text in UTF-8, without making them. */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // A surrogate pair is two units and four bytes: each half counts two.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
