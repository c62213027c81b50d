/** Those numbers of a column that fit 64 bits with the decimals of their own column, and with no more up to `decimalsMax`. */
export interface NumbersOf {
  readonly column: string;
  readonly decimalsMax: number;
}

/** Names of columns have no control characters. */
const mark = "\u0000number";

/** The name of the numbers alone of a column, with this number of decimals. */
export const numbersName = (column: string, decimals: number): string =>
  `${column}${mark}${decimals}`;

/** The column of which a name means the numbers alone, or the name itself. */
export function columnOfNumbers(name: string): string {
  const end = name.indexOf(mark);
  return end < 0 ? name : name.slice(0, end);
}
