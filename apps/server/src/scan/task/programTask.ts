/** Segments of one side that a single call of the kernel scans, as numbers that lie in the shared memory. */
export interface ProgramTask {
  /** Index of the side whose accumulators it adds to. */
  readonly side: number;
  /** Where the program lies, see the kernel's scan programs. */
  readonly address: number;
  readonly unitCount: number;
  /** Units that one call scans. */
  readonly unitsAtOnce: number;
  /** Of inputs and spreads. */
  readonly inputCount: number;
  /** Totals of the lane's own. */
  readonly totals: number;
  /** Where the totals of each unit are left to be remembered, one after the other; 0: they are not. */
  readonly unitTotals: number;
  /** Where the lanes that share it count the units taken, a u32; 0: this task scans all of them. */
  readonly cursor: number;
  /** Aligned with the side's states: the input or spread that each reads, -1 where it reads none. */
  readonly inputs: readonly number[];
}

/** Of a program's totals what they say of an input: sum, weight, rows; of a spread its four sums, doubles. */
export const totalsOfInput = (totals: BigInt64Array, input: number): BigInt64Array =>
  totals.subarray(4 + 4 * input, 8 + 4 * input);
