// Where strings and lists of strings end in JSON, as long as nothing in them is escaped.

/** The closing quote of the string that starts here, or the backslash or control character that comes before it. */
@inline
export function stopOfString(start: usize): usize {
  const quotes = i8x16.splat(0x22);
  const backslashes = i8x16.splat(0x5c);
  const controls = i8x16.splat(0x1f);
  let at = start + 1;
  while (true) {
    const bytes = v128.load(at);
    const stops = i8x16.bitmask(v128.or(
      v128.or(i8x16.eq(bytes, quotes), i8x16.eq(bytes, backslashes)),
      i8x16.eq(i8x16.min_u(bytes, controls), bytes),
    ));
    if (stops) return at + ctz(stops);
    at += 16;
  }
}

/** Behind the closing bracket of the list of strings that starts here; 0 when it is none. A space may stand before each. */
export function endOfList(start: usize): usize {
  let at = start + 1;
  if (load<u8>(at) == 0x5d) return at + 1;
  while (true) {
    if (load<u8>(at) == 0x20) at++;
    if (load<u8>(at) != 0x22) return 0;
    at = stopOfString(at);
    if (load<u8>(at) != 0x22) return 0;
    const byte = load<u8>(at, 1);
    at += 2;
    if (byte == 0x5d) return at;
    if (byte != 0x2c) return 0;
  }
}

/** The same of a set, `{"$set":[…]}`. */
export function endOfSet(start: usize): usize {
  // `{"$set":` as a word.
  if (load<u64>(start) != 0x3a2274657324227b) return 0;
  const list = load<u8>(start, 8) == 0x20 ? start + 9 : start + 8;
  if (load<u8>(list) != 0x5b) return 0;
  const end = endOfList(list);
  return end != 0 && load<u8>(end) == 0x7d ? end + 1 : 0;
}
