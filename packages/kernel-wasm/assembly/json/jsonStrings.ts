// Where strings of JSON end.

/**
 * The closing quote of the string that starts here, or the backslash or control character that
 * comes before it.
 */
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
