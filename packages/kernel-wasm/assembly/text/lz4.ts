// LZ4's block format (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md): sequences of a
// token, literals, and a match that repeats bytes from up to 64 KB before.

/** Copies run over their end by up to this many bytes: the slack that out and input have. */
const WILD_BYTES: usize = 16;
/**
 * Sequences that begin this far from the ends take the quick path: their literals and the first
 * bytes of their match are copied without a look at their lengths.
 */
const OUT_MARGIN: usize = 64;
const INPUT_MARGIN: usize = 32;

/** See TextOperations.lz4Decompress. */
export function lz4Decompress(out: usize, outBytes: u32, input: usize, inputBytes: u32): i32 {
  const outEnd = out + outBytes;
  const inputEnd = input + inputBytes;
  let to = out;
  let from = input;
  if (<usize>outBytes > OUT_MARGIN && <usize>inputBytes > INPUT_MARGIN) {
    const quickOutEnd = outEnd - OUT_MARGIN;
    const quickInputEnd = inputEnd - INPUT_MARGIN;
    // Lengths follow no pattern, so that what depends on them is computed where it can be, not
    // branched on.
    while (from < quickInputEnd && to < quickOutEnd) {
      const token = <u32>load<u8>(from);
      let literals: usize = token >> 4;
      let literalsAt = from + 1;
      if (literals == 15) {
        let more: u32 = load<u8>(literalsAt++);
        literals += more;
        // Long ones, and those near an end, are left to the careful path.
        if (more == 255 || literals > quickInputEnd - from || literals > quickOutEnd - to) break;
        for (let i = WILD_BYTES; i < literals; i += WILD_BYTES) {
          v128.store(to + i, v128.load(literalsAt + i));
        }
      }
      v128.store(to, v128.load(literalsAt));
      to += literals;
      from = literalsAt + literals;
      const distance = <usize>load<u16>(from);
      const isLong = u32((token & 15) == 15);
      const more = <u32>load<u8>(from, 2) & (0 - isLong);
      from += 2 + isLong;
      let length: usize = (token & 15) + more + 4;
      if (more == 255) {
        let next: u32 = 255;
        while (next == 255) {
          if (from >= inputEnd) return -1;
          next = load<u8>(from++);
          length += next;
        }
      }
      if (distance - 1 >= to - out || length > outEnd - to) return -1;
      if (distance >= WILD_BYTES) {
        const match = to - distance;
        v128.store(to, v128.load(match));
        v128.store(to, v128.load(match, 16), 16);
        for (let i: usize = 2 * WILD_BYTES; i < length; i += WILD_BYTES) {
          v128.store(to + i, v128.load(match + i));
        }
      } else {
        copyMatch(to, distance, length);
      }
      to += length;
    }
  }
  return decompressRest(out, to, outEnd, from, inputEnd);
}

/**
 * Takes every sequence from `from` on to the end of the block, with all lengths checked before a
 * byte is copied.
 */
function decompressRest(
  out: usize, begin: usize, outEnd: usize, inputBegin: usize, inputEnd: usize,
): i32 {
  let to = begin;
  let from = inputBegin;
  while (from < inputEnd) {
    const token = <u32>load<u8>(from++);
    let literals: usize = token >> 4;
    if (literals == 15) {
      let more: u32 = 255;
      while (more == 255) {
        if (from >= inputEnd) return -1;
        more = load<u8>(from++);
        literals += more;
      }
    }
    if (literals > inputEnd - from || literals > outEnd - to) return -1;
    v128.store(to, v128.load(from));
    for (let i = WILD_BYTES; i < literals; i += WILD_BYTES) v128.store(to + i, v128.load(from + i));
    to += literals;
    from += literals;
    // The last sequence has no match.
    if (from == inputEnd) return <i32>(to - out);
    if (inputEnd - from < 2) return -1;
    const distance = <usize>load<u16>(from);
    from += 2;
    let length: usize = token & 15;
    if (length == 15) {
      let more: u32 = 255;
      while (more == 255) {
        if (from >= inputEnd) return -1;
        more = load<u8>(from++);
        length += more;
      }
    }
    length += 4;
    if (distance == 0 || distance > to - out || length > outEnd - to) return -1;
    copyMatch(to, distance, length);
    to += length;
  }
  // Even an empty block has a token.
  return -1;
}

function copyMatch(to: usize, distance: usize, length: usize): void {
  const match = to - distance;
  if (distance >= WILD_BYTES) {
    v128.store(to, v128.load(match));
    for (let i = WILD_BYTES; i < length; i += WILD_BYTES) v128.store(to + i, v128.load(match + i));
    return;
  }
  if (distance >= 8) {
    for (let i: usize = 0; i < length; i += 8) store<u64>(to + i, load<u64>(match + i));
    return;
  }
  // Short distances repeat: after eight bytes, one of their multiples serves.
  for (let i: usize = 0; i < 8; i++) store<u8>(to + i, load<u8>(match + i));
  const multiple = distance * ((7 + distance) / distance);
  for (let i: usize = 8; i < length; i += 8) store<u64>(to + i, load<u64>(to + i - multiple));
}
