// The bytes of a needle to look for: those that are rare in a sample of the searched text.
import { caseBit, equalBytes, equalFolded } from "./textSearch";

export const SAMPLE_BYTES: usize = 2048;
/**
 * Most false hits in the sample for a single probe byte: each costs as much as the second probe
 * byte on some 500 bytes.
 */
const ASTRAY_COUNT_MAX: u32 = 3;
const CHECKED_COUNT_MAX: u32 = 64;
export const SAMPLED_NEEDLE_BYTES_MAX: u32 = 32;

/**
 * Which bytes of the needle to look for, positions first | second << 32: the rarest two of a sample of the
 * texts, or twice the same when that byte alone has few enough false hits.
 */
export function probePair(begin: usize, end: usize, needle: usize, needleBytes: u32, fold: u32): u64 {
  const sampleBytes = min(end - begin, SAMPLE_BYTES);
  const sample = begin + ((end - begin - sampleBytes) >> 1);
  const considered = min(needleBytes, SAMPLED_NEEDLE_BYTES_MAX);
  let rarest: u32 = 0;
  let second: u32 = needleBytes - 1;
  let rarestCount: u32 = u32.MAX_VALUE;
  let secondCount: u32 = u32.MAX_VALUE;
  for (let i: u32 = 0; i < considered; i++) {
    const byte = load<u8>(needle + i);
    const count = countByte(sample, sampleBytes, byte, fold != 0 ? caseBit(byte) : 0);
    if (count < rarestCount) {
      second = rarestCount == u32.MAX_VALUE ? second : rarest;
      secondCount = rarestCount;
      rarest = i;
      rarestCount = count;
    } else if (count < secondCount) {
      second = i;
      secondCount = count;
    }
  }
  if (rarestCount <= ASTRAY_COUNT_MAX) {
    second = rarest;
  } else if (rarestCount <= CHECKED_COUNT_MAX && needleBytes <= <u32>sampleBytes) {
    // Where the byte occurs in the needle only, it serves alone even when it is frequent.
    let astray: u32 = 0;
    const byte = load<u8>(needle + rarest);
    const byteCase = fold != 0 ? caseBit(byte) : 0;
    const last = sample + sampleBytes - needleBytes + rarest;
    for (let at = sample + rarest; at < last; at++) {
      if ((load<u8>(at) | byteCase) != byte) continue;
      const start = at - rarest;
      const isHit = fold != 0
        ? equalFolded(start, needle, needleBytes) : equalBytes(start, needle, needleBytes);
      astray += u32(!isHit);
    }
    if (astray <= ASTRAY_COUNT_MAX) second = rarest;
  }
  return <u64>rarest | (<u64>second << 32);
}

/** How often the byte is in the sample, without the rest behind its last whole 16 bytes. */
export function countByte(sample: usize, sampleBytes: usize, byte: u8, caseBit: u8): u32 {
  const lanes = i8x16.splat(byte);
  const folding = i8x16.splat(caseBit);
  let count: u32 = 0;
  for (let i: usize = 0; i + 16 <= sampleBytes; i += 16) {
    count += popcnt(i8x16.bitmask(i8x16.eq(v128.or(v128.load(sample + i), folding), lanes)));
  }
  return count;
}
