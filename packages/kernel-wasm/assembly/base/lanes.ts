// Reading values: one, or four as the lanes of an i32x4. T is u8, u16, U24, u32, i64 or Zero; void
// stands for "no such column": every value (weight) is 1.

/** Marks values of 3 bytes. No value is a float, so the compiler's float types can mark others. */
export type U24 = f32;
/** Marks a constant column: no bytes, every stored value is 0. */
export type Zero = f64;
// Variants of a loop are types too: loops that differ in a number only are merged into one that
// tests it at every step.
/** Marks rows that are listed, where void marks neighbours. */
export type Listed = u8;
/** Marks a column of which some rows lack a value, where void marks one of which none does. */
export type Masked = u8;

/** Bytes from one value to the next. */
@inline
export function strideOf<T>(): usize {
  if (isFloat<T>()) {
    return sizeof<T>() == 4 ? 3 : 0;
  } else {
    return sizeof<T>();
  }
}

@inline
export function isZero<T>(): bool {
  if (isVoid<T>()) {
    return false;
  } else {
    return strideOf<T>() == 0;
  }
}

@inline
export function valueAt<T>(values: usize, row: u32): i64 {
  if (isVoid<T>()) {
    return 1;
  } else if (isFloat<T>()) {
    // The byte that a load of four reads too much is the next value's, or the slack's.
    return sizeof<T>() == 4 ? <i64>(load<u32>(values + row * 3) & 0xffffff) : 0;
  } else {
    return <i64>load<T>(values + row * sizeof<T>());
  }
}

/** A row's code; C void: the group of the k-th row of the set. */
@inline
export function codeAt<C>(codes: usize, row: u32, k: u32): u32 {
  if (isVoid<C>()) {
    return load<u32>(codes + (k << 2));
  } else {
    return <u32>valueAt<C>(codes, row);
  }
}

@inline
export function codeStrideOf<C>(): u32 {
  if (isVoid<C>()) {
    return 4;
  } else {
    return <u32>strideOf<C>();
  }
}

/** A weight of 0 means that no sample rate was given: the row counts once. */
@inline
export function weightAt<W>(weights: usize, row: u32): i64 {
  if (isVoid<W>()) {
    return 1;
  } else {
    const weight = <i64>load<W>(weights + row * sizeof<W>());
    return weight + i64(weight == 0);
  }
}

/**
 * The low 32 bits of values row to row + 3. Reads those bytes and no others, but four more of U24.
 */
@inline
export function load4<T>(values: usize, row: u32): v128 {
  if (isVoid<T>()) {
    return i32x4.splat(1);
  } else if (isFloat<T>()) {
    if (sizeof<T>() == 8) {
      return i32x4.splat(0);
    } else {
      return i8x16.swizzle(
        v128.load(values + row * 3),
        i8x16(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1),
      );
    }
  } else if (sizeof<T>() == 1) {
    return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(values + row)));
  } else if (sizeof<T>() == 2) {
    return v128.load16x4_u(values + (row << 1));
  } else if (sizeof<T>() == 4) {
    return v128.load(values + (row << 2));
  } else {
    const at = values + (row << 3);
    return v128.shuffle<i32>(v128.load(at), v128.load(at, 16), 0, 2, 4, 6);
  }
}

/** Eight values of at most 16 bits from row on. */
@inline
export function short8<T>(values: usize, row: u32): v128 {
  if (sizeof<T>() == 1) {
    return v128.load8x8_u(values + row);
  } else {
    return v128.load(values + (row << 1));
  }
}

/** The presence of rows row to row + 7, a multiple of eight, in every byte. */
@inline
export function presence8(present: usize, row: u32): v128 {
  return v128.load8_splat(present + (row >> 3));
}

/** The presence of rows row to row + 15, a multiple of eight, in every lane of 16 bits. */
@inline
export function presence16(present: usize, row: u32): v128 {
  return v128.load16_splat(present + (row >> 3));
}

/**
 * All ones in lane j of eight where bit shift + j is set, shift 0 or 8; bits from presence8 have
 * those of shift 0 only.
 */
@inline
export function shortMaskOf(bits: v128, shift: i32): v128 {
  const lanes = shift == 0
    ? i16x8(1, 2, 4, 8, 16, 32, 64, 128)
    : i16x8(256, 512, 1024, 2048, 4096, 8192, 16384, -32768);
  return i16x8.eq(v128.and(bits, lanes), lanes);
}

/**
 * All ones in lane j of four where bit shift + j is set, shift 0, 4, 8 or 12; bits from presence8
 * have those of 0 and 4 only.
 */
@inline
export function laneMaskOf(bits: v128, shift: i32): v128 {
  const lanes = shift == 0
    ? i32x4(1, 2, 4, 8)
    : shift == 4
      ? i32x4(16, 32, 64, 128)
      : shift == 8 ? i32x4(256, 512, 1024, 2048) : i32x4(4096, 8192, 16384, 32768);
  return i32x4.eq(v128.and(bits, lanes), lanes);
}

/** Row k of a row set: the k-th listed one, or the k-th from `start`. */
@inline
export function rowAt(listed: bool, rows: usize, start: u32, k: u32): u32 {
  if (listed) return load<u32>(rows + (k << 2));
  return start + k;
}

/** Values of four rows of a set, in their low 32 bits. */
@inline
export function lanesAt<T>(
  listed: bool, values: usize, rows: usize, start: u32, k: u32,
): v128 {
  if (!listed) return load4<T>(values, start + k);
  let lanes = i32x4.splat(<i32>valueAt<T>(values, load<u32>(rows + (k << 2))));
  lanes = i32x4.replace_lane(lanes, 1, <i32>valueAt<T>(values, load<u32>(rows + (k << 2), 4)));
  lanes = i32x4.replace_lane(lanes, 2, <i32>valueAt<T>(values, load<u32>(rows + (k << 2), 8)));
  return i32x4.replace_lane(lanes, 3, <i32>valueAt<T>(values, load<u32>(rows + (k << 2), 12)));
}

/** A weight whose width is known only now: a branch per row, but the same one for all rows. */
@inline
export function weightOfWidth(weights: usize, width: u32, row: u32): i64 {
  if (width == 0) return 1;
  if (width == 1) return weightAt<u8>(weights, row);
  if (width == 2) return weightAt<u16>(weights, row);
  return weightAt<u32>(weights, row);
}

@inline
export function checkWeightWidth(width: u32): void {
  if (width > 4 || width == 3) unreachable();
}
