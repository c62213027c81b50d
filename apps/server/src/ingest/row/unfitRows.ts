import type { ColumnBuilder } from "../column/columnBuilder.js";

/**
 * A row that was accepted at first and then did not fit the decimals that are set for one of its
 * columns.
 */
export interface UnfitRow {
  readonly rowIndex: number;
  readonly column: string;
  /** The digits after the point that are set for the column. */
  readonly decimals: number;
}

export function findUnfitRows(columns: Iterable<ColumnBuilder>, rowCount: number): UnfitRow[] {
  const unfit = new Map<number, UnfitRow>();
  for (const column of columns) {
    column.findUnfit(rowCount, (rowIndex) =>
      unfit.set(rowIndex, { rowIndex, column: column.name, decimals: column.decimals }),
    );
  }
  return [...unfit.values()].sort((a, b) => a.rowIndex - b.rowIndex);
}

/** The indexes of the other rows. */
export function rowsWithout(unfit: readonly UnfitRow[], rowCount: number): Uint32Array {
  const dropped = new Set(unfit.map(({ rowIndex }) => rowIndex));
  const kept = new Uint32Array(rowCount - dropped.size);
  let at = 0;
  for (let row = 0; row < rowCount; row++) if (!dropped.has(row)) kept[at++] = row;
  return kept;
}
