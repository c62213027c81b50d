/** The `count`-th largest value; reorders the array. Hoare's selection, pivots from the middle. */
export function selectLargest(values: Float64Array, count: number): number {
  let low = 0;
  let high = values.length - 1;
  const wanted = count - 1;
  while (low < high) {
    const pivot = values[(low + high) >>> 1]!;
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i]! > pivot) i++;
      while (values[j]! < pivot) j--;
      if (i > j) break;
      const swapped = values[i]!;
      values[i++] = values[j]!;
      values[j--] = swapped;
    }
    if (wanted <= j) high = j;
    else if (wanted >= i) low = i;
    else break;
  }
  return values[wanted]!;
}
