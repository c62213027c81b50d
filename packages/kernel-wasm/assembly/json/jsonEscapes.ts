// Decodes strings of JSON with escapes.
import { stopOfString } from "./jsonStrings";

/** Where the last written text ends; each thread's instance has its own. */
export let unescapedEnd: usize = 0;

/**
 * Writes the text of a string from `start`, of which nothing before `firstStop` is escaped, to
 * [out, unescapedEnd), and maybe 15 bytes more: it is no longer than its string. Returns where that
 * ends, behind its quote; 0 when it is none, or half of a surrogate pair.
 */
export function unescapeString(start: usize, firstStop: usize, out: usize): usize {
  let from = start;
  let stop = firstStop;
  let to = out;
  while (load<u8>(stop) == 0x5c) {
    to = copyBytes(from, stop, to);
    const byte = load<u8>(stop, 1);
    from = stop + 2;
    if (byte == 0x75) {
      let point = unitOfDigits(from);
      from += 4;
      if ((point & 0xf800) == 0xd800) {
        const low = load<u16>(from) == 0x755c ? unitOfDigits(from + 2) : NO_UNIT;
        if (point >= 0xdc00 || (low & ~0x3ff) != 0xdc00) return 0;
        point = 0x10000 + ((point & 0x3ff) << 10) + (low & 0x3ff);
        from += 6;
      }
      if (point == NO_UNIT) return 0;
      to = writePoint(point, to);
    } else {
      const meant = meantBy(byte);
      if (meant == 0) return 0;
      store<u8>(to++, meant);
    }
    stop = stopOfString(from - 1);
  }
  if (load<u8>(stop) != 0x22) return 0;
  unescapedEnd = copyBytes(from, stop, to);
  return stop + 1;
}

const NO_UNIT: u32 = 0xffffffff;

/** Where the copy ends. */
@inline
function copyBytes(from: usize, end: usize, to: usize): usize {
  const length = end - from;
  for (let i: usize = 0; i < length; i += 16) v128.store(to + i, v128.load(from + i));
  return to + length;
}

/** The character of a letter behind a backslash; 0: none. */
function meantBy(byte: u8): u8 {
  if (byte == 0x22 || byte == 0x5c || byte == 0x2f) return byte;
  if (byte == 0x6e) return 0x0a;
  if (byte == 0x74) return 0x09;
  if (byte == 0x72) return 0x0d;
  if (byte == 0x62) return 0x08;
  return byte == 0x66 ? 0x0c : 0;
}

/** The UTF-16 unit of four hexadecimal digits. */
function unitOfDigits(at: usize): u32 {
  let unit: u32 = 0;
  for (let i: usize = 0; i < 4; i++) {
    const byte = <u32>load<u8>(at + i);
    let digit = byte - 0x30;
    if (digit > 9) {
      const letter = (byte | 0x20) - 0x61;
      if (letter > 5) return NO_UNIT;
      digit = letter + 10;
    }
    unit = (unit << 4) | digit;
  }
  return unit;
}

/** As UTF-8; where it ends. */
function writePoint(point: u32, to: usize): usize {
  if (point < 0x80) {
    store<u8>(to, point);
    return to + 1;
  }
  if (point < 0x800) {
    store<u8>(to, 0xc0 | (point >> 6));
    return writeRest(point, 0, to + 1);
  }
  if (point < 0x10000) {
    store<u8>(to, 0xe0 | (point >> 12));
    return writeRest(point, 6, to + 1);
  }
  store<u8>(to, 0xf0 | (point >> 18));
  return writeRest(point, 12, to + 1);
}

/** The bits from `shift` + 6 down, six a byte. */
function writeRest(point: u32, shift: i32, to: usize): usize {
  let at = to;
  for (let bits = shift; bits >= 0; bits -= 6) store<u8>(at++, 0x80 | ((point >> bits) & 0x3f));
  return at;
}
