/** Segments of one side that a single call of the kernel scans, as numbers in shared memory. */
export interface ProgramTask {
  /** Index of the side whose accumulators it adds to. */
  readonly side: number;
  /** Address of the program, see the kernel's scan programs. */
  readonly address: number;
  readonly unitCount: number;
  /** Units that one call scans. */
  readonly unitsAtOnce: number;
  /** Of inputs and spreads. */
  readonly inputCount: number;
  /** Totals of the lane's own. */
  readonly totals: number;
  /**
   * Where the totals of each unit are left to be remembered, one after the other; 0: they are not.
   */
  readonly unitTotals: number;
  /** Where the lanes that share it count the units taken, a u32; 0: this task scans all of them. */
  readonly cursor: number;
  /**
   * Aligned with the side's states: the input or spread that each reads, -1 where it reads none.
   */
  readonly inputs: readonly number[];
}

/**
 * The part of a program's totals for one input: sum, weight, rows; for a spread its four sums,
 * doubles.
 */
export const totalsOfInput = (totals: BigInt64Array, input: number): BigInt64Array =>
  totals.subarray(4 + 4 * input, 8 + 4 * input);
