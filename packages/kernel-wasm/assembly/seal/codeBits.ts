// Codes of a few bits, and codes of which most are missing; the layouts are drawn in
// src/operations/seal/codeBits.ts.

const BLOCK_ROWS: u32 = 128;
const LANES: u32 = 16;

/** See CodeBitsOperations.packCodes. */
export function packCodes(out: usize, codes: usize, rowCount: u32, bits: u32): void {
  for (let row: u32 = 0; row < rowCount; row += BLOCK_ROWS) {
    packBlock(out, codes + (row << 2), min(BLOCK_ROWS, rowCount - row), bits);
    out += bits << 4;
  }
}

@inline
function packBlock(out: usize, codes: usize, rows: u32, bits: u32): void {
  let word = i64x2.splat(0);
  let used: u32 = 0;
  for (let row: u32 = 0; row < BLOCK_ROWS; row += LANES) {
    const lanes = row + LANES <= rows ? lanesOf(codes + (row << 2)) : lastLanes(codes, row, rows);
    word = v128.or(word, shiftUp(lanes, used));
    used += bits;
    if (used < 8) continue;
    v128.store(out, word);
    out += 16;
    used -= 8;
    word = shiftDown(lanes, bits - used);
  }
}

/** Sixteen codes of 32 bits as bytes. */
@inline
function lanesOf(codes: usize): v128 {
  const low = i16x8.narrow_i32x4_u(v128.load(codes), v128.load(codes, 16));
  const high = i16x8.narrow_i32x4_u(v128.load(codes, 32), v128.load(codes, 48));
  return i8x16.narrow_i16x8_u(low, high);
}

/** Beyond the last row there are zeros. */
function lastLanes(codes: usize, row: u32, rows: u32): v128 {
  if (row >= rows) return i64x2.splat(0);
  let low: u64 = 0;
  let high: u64 = 0;
  const end = min(rows - row, LANES);
  for (let i: u32 = 0; i < end; i++) {
    const code = <u64>load<u32>(codes + ((row + i) << 2));
    if (i < 8) low |= code << (i << 3);
    else high |= code << ((i - 8) << 3);
  }
  return i64x2.replace_lane(i64x2.splat(low), 1, high);
}

/** There is no shift of bytes: pairs are shifted, and what comes from the neighbour is cut off. */
@inline
function shiftUp(bytes: v128, count: u32): v128 {
  return v128.and(i16x8.shl(bytes, count), i8x16.splat(<i8>(0xff << count)));
}

@inline
function shiftDown(bytes: v128, count: u32): v128 {
  return v128.and(i16x8.shr_u(bytes, count), i8x16.splat(<i8>(0xff >> count)));
}

/** See CodeBitsOperations.unpackCodes. */
export function unpackCodes(out: usize, packed: usize, rowCount: u32, bits: u32): void {
  const mask = i8x16.splat(<i8>((<u32>1 << bits) - 1));
  const end = out + ((rowCount + BLOCK_ROWS - 1) & ~(BLOCK_ROWS - 1));
  // A code that begins at bit `shift` of a byte continues in the next one unless it ends there.
  while (out < end) {
    let word = v128.load(packed);
    let shift: u32 = 0;
    for (let row: u32 = 0; row < BLOCK_ROWS; row += LANES) {
      let codes = i16x8.shr_u(word, shift);
      shift += bits;
      if (shift >= 8) {
        shift -= 8;
        packed += 16;
        if (shift > 0) {
          word = v128.load(packed);
          codes = v128.or(
            v128.and(codes, i8x16.splat(<i8>(0xff >> (8 + shift - bits)))),
            shiftUp(word, bits - shift),
          );
        } else if (row + LANES < BLOCK_ROWS) {
          word = v128.load(packed);
        }
      }
      v128.store(out, v128.and(codes, mask));
      out += LANES;
    }
  }
}

/** See CodeBitsOperations.spreadCodes. */
export function spreadCodes(
  out: usize, width: u32, present: usize, codes: usize, rowCount: u32,
): void {
  memory.fill(out, 0, <usize>rowCount * width);
  switch (width) {
    case 1: return spread<u8>(out, present, codes, rowCount);
    case 2: return spread<u16>(out, present, codes, rowCount);
    case 3: return spreadThrees(out, present, codes, rowCount);
    case 4: return spread<u32>(out, present, codes, rowCount);
    default: unreachable();
  }
}

@inline
function spread<T>(out: usize, present: usize, codes: usize, rowCount: u32): void {
  for (let row: u32 = 0; row < rowCount; row += 64) {
    let bits = load<u64>(present + (row >> 3));
    while (bits != 0) {
      const at = row + <u32>ctz(bits);
      store<T>(out + <usize>at * sizeof<T>(), load<T>(codes));
      codes += sizeof<T>();
      bits &= bits - 1;
    }
  }
}

function spreadThrees(out: usize, present: usize, codes: usize, rowCount: u32): void {
  for (let row: u32 = 0; row < rowCount; row += 64) {
    let bits = load<u64>(present + (row >> 3));
    while (bits != 0) {
      const at = out + <usize>(row + <u32>ctz(bits)) * 3;
      store<u16>(at, load<u16>(codes));
      store<u8>(at, load<u8>(codes, 2), 2);
      codes += 3;
      bits &= bits - 1;
    }
  }
}
