/** Runs of neighbouring rows, spread evenly over a segment; one of up to `wholeMax` rows, no fewer than these, is looked at whole. */
export interface RowSample {
  readonly runs: number;
  readonly runRows: number;
  readonly wholeMax: number;
}

export const sampledCount = ({ runs, runRows }: RowSample): number => runs * runRows;

/** Each is in the middle of its share of the segment. */
export const firstOfRun = ({ runs, runRows }: RowSample, run: number, rowCount: number): number =>
  Math.floor(((run + 0.5) * rowCount) / runs - runRows / 2);

/**
 * Lists the sampled rows of a segment, ascending: u32 each in scratch. In place of each stands what `order` (u32 × rowCount, or 0)
 * says of it. Returns the address, 0: all rows are to be taken.
 */
export function listSample(
  sample: RowSample,
  order: number,
  rowCount: number,
  memory: WebAssembly.Memory,
  takeScratch: (bytes: number) => number,
): number {
  const { runs, runRows, wholeMax } = sample;
  if (rowCount <= wholeMax) return 0;
  const address = takeScratch(sampledCount(sample) * 4);
  const rows = new Uint32Array(memory.buffer, address, sampledCount(sample));
  const ordered = order === 0 ? null : new Uint32Array(memory.buffer, order, rowCount);
  for (let run = 0; run < runs; run++) {
    const first = firstOfRun(sample, run, rowCount);
    for (let i = 0; i < runRows; i++) {
      const row = first + i;
      rows[run * runRows + i] = ordered === null ? row : ordered[row]!;
    }
  }
  return address;
}
