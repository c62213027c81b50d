/**
 * A table of a FlatBuffer: a position, and the offsets of its entries. Throws RangeError for
 * positions outside the buffer.
 */
export interface FlatTable {
  byte(index: number): number;
  short(index: number): number;
  long(index: number): bigint;
  table(index: number): FlatTable | null;
  /** Checks that a range is within the buffer. */
  vector(
    index: number,
    elementBytes: number,
  ): { readonly start: number; readonly length: number } | null;
  tables(index: number): Generator<FlatTable>;
}

/** The table whose offset is at `offsetAt`. */
export function tableAt(view: DataView, offsetAt: number): FlatTable {
  const position = offsetAt + view.getUint32(offsetAt, true);
  const entries = position - view.getInt32(position, true);
  // The library reads both as signed numbers: so does this.
  const entriesBytes = view.getInt16(entries, true);
  const placeOf = (index: number): number => {
    const at = 4 + 2 * index;
    const offset = at < entriesBytes ? view.getInt16(entries + at, true) : 0;
    if (offset < 0) throw new RangeError();
    return offset === 0 ? 0 : position + offset;
  };
  const table: FlatTable = {
    byte(index) {
      const place = placeOf(index);
      return place === 0 ? 0 : view.getUint8(place);
    },
    short(index) {
      const place = placeOf(index);
      return place === 0 ? 0 : view.getInt16(place, true);
    },
    long(index) {
      const place = placeOf(index);
      return place === 0 ? 0n : view.getBigInt64(place, true);
    },
    table(index) {
      const place = placeOf(index);
      return place === 0 ? null : tableAt(view, place);
    },
    vector(index, elementBytes) {
      const place = placeOf(index);
      if (place === 0) return null;
      const lengthAt = place + view.getUint32(place, true);
      const length = view.getUint32(lengthAt, true);
      const start = lengthAt + 4;
      if (start + length * elementBytes > view.byteLength) throw new RangeError();
      return { start, length };
    },
    *tables(index) {
      const found = table.vector(index, 4);
      if (found === null) return;
      for (let i = 0; i < found.length; i++) yield tableAt(view, found.start + 4 * i);
    },
  };
  return table;
}
