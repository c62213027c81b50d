/**
 * Runs of neighbouring rows, spread evenly over a segment. A segment of up to `wholeMax` rows is
 * read whole.
 */
export interface RowSample {
  readonly runs: number;
  readonly runRows: number;
  readonly wholeMax: number;
}

export const sampledCount = ({ runs, runRows }: RowSample): number => runs * runRows;

/** Each run is in the middle of its share of the segment. */
export const firstOfRun = ({ runs, runRows }: RowSample, run: number, rowCount: number): number =>
  Math.floor(((run + 0.5) * rowCount) / runs - runRows / 2);

/**
 * The rows of a segment in an order (u32 × rowCount; 0: their own), and scratch for a sample of
 * them.
 */
interface SampledRows {
  readonly order: number;
  readonly rowCount: number;
  readonly memory: WebAssembly.Memory;
  readonly takeScratch: (bytes: number) => number;
}

/**
 * Lists the rows at the sampled places of the order, u32 each in scratch. Returns the address; 0:
 * all rows are taken.
 */
export function listSample(
  sample: RowSample,
  { order, rowCount, memory, takeScratch }: SampledRows,
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
