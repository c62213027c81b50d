/** For more values than these a sample chooses the pivot. */
const sampledMin = 600;

/**
 * The `count`-th largest value; reorders the array. Floyd and Rivest's selection (Algorithm 489, CACM 18/3, 1975): values are
 * partitioned by a pivot from a sample, slightly beyond the wanted value, so that most others are excluded at once.
 */
export function selectLargest(values: Float64Array, count: number): number {
  select(values, 0, values.length - 1, count - 1);
  return values[count - 1]!;
}

/** Puts at `wanted` the value that it would have if `left` to `right` were sorted, the largest first. */
function select(values: Float64Array, left: number, right: number, wanted: number): void {
  while (right > left) {
    const length = right - left + 1;
    if (length > sampledMin) {
      const rank = wanted - left + 1;
      const z = Math.log(length);
      const sampled = Math.exp((2 * z) / 3) / 2;
      const deviation = Math.sqrt((z * sampled * (length - sampled)) / length) / 2;
      const shift = rank < length / 2 ? -deviation : deviation;
      const start = Math.floor(wanted - (rank * sampled) / length + shift);
      const end = Math.floor(wanted + ((length - rank) * sampled) / length + shift);
      select(values, Math.max(left, start), Math.min(right, end), wanted);
    }
    const pivot = values[wanted]!;
    let i = left;
    let j = right;
    while (i <= j) {
      while (values[i]! > pivot) i++;
      while (values[j]! < pivot) j--;
      if (i > j) break;
      const swapped = values[i]!;
      values[i++] = values[j]!;
      values[j--] = swapped;
    }
    if (wanted <= j) right = j;
    else if (wanted >= i) left = i;
    else return;
  }
}
