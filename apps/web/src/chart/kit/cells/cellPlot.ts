/** Layout of cells: columns from left to right, rows from top to bottom. */
export interface CellPlot {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
}

/** Cells side by side, both ends included. */
export interface CellBox {
  readonly fromColumn: number;
  readonly toColumn: number;
  readonly fromRow: number;
  readonly toRow: number;
}

/** The cell under a pixel, or the nearest cell. */
export function cellAt(plot: CellPlot, x: number, y: number): CellBox {
  const column = clamp(((x - plot.left) / plot.width) * plot.columns, plot.columns);
  const row = clamp(((y - plot.top) / plot.height) * plot.rows, plot.rows);
  return { fromColumn: column, toColumn: column, fromRow: row, toRow: row };
}

export const isInside = (plot: CellPlot, x: number, y: number): boolean =>
  x >= plot.left && x < plot.left + plot.width && y >= plot.top && y < plot.top + plot.height;

/** All cells from one to another. */
export const boxOf = (a: CellBox, b: CellBox): CellBox => ({
  fromColumn: Math.min(a.fromColumn, b.fromColumn),
  toColumn: Math.max(a.toColumn, b.toColumn),
  fromRow: Math.min(a.fromRow, b.fromRow),
  toRow: Math.max(a.toRow, b.toRow),
});

/** The box in pixels. */
export function rectOf(plot: CellPlot, box: CellBox) {
  const [cellWidth, cellHeight] = [plot.width / plot.columns, plot.height / plot.rows];
  return {
    left: plot.left + box.fromColumn * cellWidth,
    top: plot.top + box.fromRow * cellHeight,
    width: (box.toColumn - box.fromColumn + 1) * cellWidth,
    height: (box.toRow - box.fromRow + 1) * cellHeight,
  };
}

/** The cell that an arrow key leads to; null: another key. */
export function stepOf(plot: CellPlot, from: CellBox, key: string): CellBox | null {
  const steps: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
    PageUp: [0, -10],
    PageDown: [0, 10],
    Home: [-plot.columns, 0],
    End: [plot.columns, 0],
  };
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  if (step === undefined) return null;
  const column = clamp(from.toColumn + step[0], plot.columns);
  const row = clamp(from.toRow + step[1], plot.rows);
  return { fromColumn: column, toColumn: column, fromRow: row, toRow: row };
}

const clamp = (at: number, count: number): number =>
  Math.max(0, Math.min(count - 1, Math.floor(at)));
