// Times as batches have them, f64, to those of segments.

/**
 * All whole numbers up to here on both sides of 0 become integers by one addition: their bits are
 * then the last ones of the sum.
 */
const PLAIN_MAX: f64 = 2_251_799_813_685_248;
const PLAIN_SUM: f64 = 6_755_399_441_055_744;

export function takeTimes(out: usize, times: usize, rowCount: u32): void {
  const end = times + (rowCount << 3);
  const endOfPairs = times + ((rowCount & ~1) << 3);
  let lows = f64x2.splat(Infinity);
  let highs = f64x2.splat(-Infinity);
  for (let at = times; at < endOfPairs; at += 16) {
    const pair = v128.load(at);
    lows = f64x2.pmin(lows, pair);
    highs = f64x2.pmax(highs, pair);
  }
  let lowest = min(f64x2.extract_lane(lows, 0), f64x2.extract_lane(lows, 1));
  let highest = max(f64x2.extract_lane(highs, 0), f64x2.extract_lane(highs, 1));
  if (endOfPairs < end) {
    lowest = min(lowest, load<f64>(endOfPairs));
    highest = max(highest, load<f64>(endOfPairs));
  }
  store<f64>(out, lowest);
  store<f64>(out, highest, 8);
  let at = times;
  if (lowest >= -PLAIN_MAX && highest <= PLAIN_MAX) {
    const sum = f64x2.splat(PLAIN_SUM);
    for (; at < endOfPairs; at += 16) v128.store(at, i64x2.sub(f64x2.add(v128.load(at), sum), sum));
  }
  for (; at < end; at += 8) store<i64>(at, <i64>load<f64>(at));
}
