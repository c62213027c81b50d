// Texts in which a match can begin only at one pair of bytes: the search for the next pair reads
// sixteen bytes at a time.
import { AUTOMATON_FIRST, AUTOMATON_LEAP_BYTES, AUTOMATON_LEAP_TO, AUTOMATON_MATCHED, AUTOMATON_REST } from "../abi";
import { follow, setBit, walk } from "./automatonStep";
import { textOffset } from "./pageTable";

/** Bytes between two checks which texts can leap. */
const ROUND: u32 = 8;

/** As matchTexts, four rows at a time: returns the place of the first that it left. */
export function matchLeaping(
  out: usize, rows: usize, first: u32, count: u32,
  firstRow: u32, bytes: usize, offsets: usize, width: u32, automaton: usize,
): u32 {
  const initial = load<u32>(automaton, AUTOMATON_FIRST);
  const matched = load<u32>(automaton, AUTOMATON_MATCHED);
  const unknown = matched << 1;
  const rest = load<u32>(automaton, AUTOMATON_REST);
  const to = load<u32>(automaton, AUTOMATON_LEAP_TO);
  const pair = load<u32>(automaton, AUTOMATON_LEAP_BYTES);
  const one = i8x16.splat(<u8>pair);
  const two = i8x16.splat(<u8>(pair >> 8));
  let i = first;
  for (; i + 4 <= count; i += 4) {
    const list = rows + (i << 2);
    const r0 = load<u32>(list), r1 = load<u32>(list, 4), r2 = load<u32>(list, 8), r3 = load<u32>(list, 12);
    let a0 = bytes + textOffset(offsets, width, r0 - firstRow);
    let a1 = bytes + textOffset(offsets, width, r1 - firstRow);
    let a2 = bytes + textOffset(offsets, width, r2 - firstRow);
    let a3 = bytes + textOffset(offsets, width, r3 - firstRow);
    const e0 = bytes + textOffset(offsets, width, r0 - firstRow + 1);
    const e1 = bytes + textOffset(offsets, width, r1 - firstRow + 1);
    const e2 = bytes + textOffset(offsets, width, r2 - firstRow + 1);
    const e3 = bytes + textOffset(offsets, width, r3 - firstRow + 1);
    let s0 = initial, s1 = initial, s2 = initial, s3 = initial;
    do {
      if (s0 == rest) { a0 = leap(a0, e0, one, two); s0 = a0 ? to : 0; }
      if (s1 == rest) { a1 = leap(a1, e1, one, two); s1 = a1 ? to : 0; }
      if (s2 == rest) { a2 = leap(a2, e2, one, two); s2 = a2 ? to : 0; }
      if (s3 == rest) { a3 = leap(a3, e3, one, two); s3 = a3 ? to : 0; }
      let steps = ROUND;
      // A decided text stays decided, whatever it reads after that.
      if (s0 > unknown) steps = min(steps, <u32>(e0 - a0)); else a0 = bytes;
      if (s1 > unknown) steps = min(steps, <u32>(e1 - a1)); else a1 = bytes;
      if (s2 > unknown) steps = min(steps, <u32>(e2 - a2)); else a2 = bytes;
      if (s3 > unknown) steps = min(steps, <u32>(e3 - a3)); else a3 = bytes;
      for (let k: u32 = 0; k < steps; k++) {
        s0 = follow(automaton, s0, a0++);
        s1 = follow(automaton, s1, a1++);
        s2 = follow(automaton, s2, a2++);
        s3 = follow(automaton, s3, a3++);
      }
      if (a0 == e0) s0 = walk(automaton, s0, a0, e0);
      if (a1 == e1) s1 = walk(automaton, s1, a1, e1);
      if (a2 == e2) s2 = walk(automaton, s2, a2, e2);
      if (a3 == e3) s3 = walk(automaton, s3, a3, e3);
    } while (max(max(s0, s1), max(s2, s3)) > unknown);
    // One by one, to find the position.
    if (s0 == unknown || s1 == unknown || s2 == unknown || s3 == unknown) break;
    if (s0 == matched) setBit(out, r0);
    if (s1 == matched) setBit(out, r1);
    if (s2 == matched) setBit(out, r2);
    if (s3 == matched) setBit(out, r3);
  }
  return i;
}

/**
 * Where the next pair within [at, end) ends; 0: there is none. Reads up to fifteen bytes behind the
 * end.
 */
@inline
function leap(at: usize, end: usize, one: v128, two: v128): usize {
  for (; at + 1 < end; at += 16) {
    const ones = i8x16.eq(v128.load(at), one);
    const found = i8x16.bitmask(v128.and(ones, i8x16.eq(v128.load(at, 1), two)));
    if (found == 0) continue;
    const behind = at + ctz(found) + 2;
    return behind <= end ? behind : 0;
  }
  return 0;
}
