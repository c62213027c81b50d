/** Half a percent of the span: what a chart of it can show. */
const linearSteps = 200n;
/** Mantissas of the steps below the linear ones, in tenths: about ten to a power of ten. */
const mantissas = [10n, 12n, 15n, 20n, 25n, 30n, 40n, 50n, 60n, 80n] as const;

/**
 * Ascending bounds for buckets of the integers from `min` to `max`: round ones, so that they may be shown, at even steps,
 * and near zero at steps that grow with the value, since latencies and sizes spread over powers of ten.
 */
export function valueEdges(min: bigint, max: bigint): bigint[] {
  const step = powerOfTen((max - min) / linearSteps);
  const edges = new Set<bigint>();
  const add = (edge: bigint): void => {
    if (edge > min && edge <= max) edges.add(edge);
  };
  for (let edge = (min / step) * step; edge <= max; edge += step) add(edge);
  for (let unit = 1n; unit <= step; unit *= 10n) {
    for (const mantissa of mantissas) {
      if ((mantissa * unit) % 10n !== 0n) continue;
      add((mantissa * unit) / 10n);
      add(-(mantissa * unit) / 10n);
    }
    for (const mantissa of mantissas) {
      add(mantissa * unit);
      add(-mantissa * unit);
    }
  }
  add(0n);
  return [min, ...[...edges].sort((a, b) => (a < b ? -1 : 1))];
}

/** The largest power of ten that is not above. */
function powerOfTen(most: bigint): bigint {
  let power = 1n;
  while (power * 10n <= most) power *= 10n;
  return power;
}

/** What is shown of a spread: about as many bars as a small chart has room for. */
const barsMax = 14;
/** Beyond this ratio of the 95th to the 50th percentile even bars would leave all but the first empty. */
const skewMax = 8;

/** Rows of one bucket: its lower bound, and what they weigh. */
export interface WeighedBucket {
  readonly low: bigint;
  readonly weight: number;
}

/**
 * Bounds of the bars to show, of the buckets that {@link valueEdges} bound: at even steps, or, where most values are near
 * zero and some far from it, at 1, 2, 5, 10 … The outermost bars have no end.
 */
export function barEdges(buckets: readonly WeighedBucket[], edges: readonly bigint[]): bigint[] {
  const total = buckets.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0 || edges.length < 2) return [];
  const at = (share: number): bigint => quantile(buckets, share * total);
  const [low, middle, high, top] = [at(0.01), at(0.5), at(0.95), at(0.99)];
  const isSkewed = low >= 0n && Number(high) > skewMax * Math.max(1, Number(middle));
  const wanted = isSkewed ? logBounds(low, top) : evenBounds(low, top, edges);
  const known = new Set(edges);
  return wanted.filter((edge) => known.has(edge));
}

function quantile(buckets: readonly WeighedBucket[], weight: number): bigint {
  let seen = 0;
  for (const { low, weight: own } of buckets) {
    seen += own;
    if (seen >= weight) return low;
  }
  return buckets.at(-1)?.low ?? 0n;
}

/** Of more decades than there are bars, the powers of ten, or every second or sixth of them. */
function logBounds(low: bigint, top: bigint): bigint[] {
  const boundsOf = (digits: readonly bigint[], decades: number): bigint[] => {
    const bounds: bigint[] = [];
    for (let unit = 1n; unit <= top; unit *= 10n ** BigInt(decades)) {
      for (const digit of digits) {
        if (digit * unit > low && digit * unit <= top) bounds.push(digit * unit);
      }
    }
    return bounds;
  };
  for (const digits of [[1n, 2n, 5n], [1n, 3n], [1n]]) {
    const bounds = boundsOf(digits, 1);
    if (bounds.length <= barsMax) return bounds;
  }
  const sparser = boundsOf([1n], 2);
  return sparser.length <= barsMax ? sparser : boundsOf([1n], 6);
}

function evenBounds(low: bigint, top: bigint, edges: readonly bigint[]): bigint[] {
  let step = 1n;
  const rough = (top - low) / BigInt(barsMax) + 1n;
  const digits = [1n, 2n, 5n];
  for (let unit = 1n; step < rough; unit *= 10n) {
    step = digits.map((digit) => digit * unit).find((each) => each >= rough) ?? unit * 10n;
  }
  const bounds: bigint[] = [];
  const first = edges[0] ?? 0n;
  for (let bound = (low / step) * step; bound <= top; bound += step) {
    if (bound > low && bound > first) bounds.push(bound);
  }
  return bounds;
}
