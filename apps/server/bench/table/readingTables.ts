import { type BenchTable, chance, ints, startMs, timesOf } from "./benchTable.js";

const seriesCount = 1_000_000;
/** Hundredths of a degree no sensor but the broken one reads. */
export const outlierLeast = 90_000;

/** Temperatures of a million sensors, in hundredths of a degree; one reading of one sensor is an outlier. */
export const readings: BenchTable = {
  name: "readings",
  lists: [],
  rowCount: (total) => Math.ceil(total / 5),
  rows: (first, count, rowCount) => {
    const outlier = Math.floor(rowCount * 0.7317);
    const series = new Int32Array(count);
    const temperatures = new Int32Array(count);
    for (let i = 0; i < count; i++) {
      const row = first + i;
      series[i] = Math.floor(seriesCount * chance(row, 1));
      temperatures[i] = row === outlier ? 99_999 : Math.floor(1_500 + 2_000 * chance(row, 2));
    }
    const columns = [ints("series", series), ints("temperature", temperatures)];
    return { rowCount: count, times: timesOf(first, count, rowCount), columns };
  },
};

const walkRows = 1_000_000;
let walk: Int32Array | null = null;

/** One sensor, once a second, a random walk: what a regular series takes in memory. Not queried. */
export const oneSensor: BenchTable = {
  name: "one_sensor",
  lists: [],
  rowCount: (total) => Math.min(total, walkRows),
  rows: (first, count) => {
    walk ??= randomWalk();
    const times = Float64Array.from({ length: count }, (_, i) => startMs + (first + i) * 1_000);
    const columns = [ints("temperature", walk.slice(first, first + count))];
    return { rowCount: count, times, columns };
  },
};

/** Steps of up to five hundredths of a degree. */
function randomWalk(): Int32Array {
  const values = new Int32Array(walkRows);
  let value = 2_000;
  for (let row = 0; row < walkRows; row++) {
    value += Math.floor(chance(row, 3) * 11) - 5;
    values[row] = value;
  }
  return values;
}
