export interface GridPlace {
  readonly row: number;
  readonly column: number;
}

export interface GridSize {
  readonly rowCount: number;
  readonly columnCount: number;
}

const steps: Readonly<Record<string, GridPlace>> = {
  ArrowDown: { row: 1, column: 0 },
  ArrowUp: { row: -1, column: 0 },
  ArrowRight: { row: 0, column: 1 },
  ArrowLeft: { row: 0, column: -1 },
};

/** The cell that an arrow key leads to, within the grid; null: another key. */
export function gridStep(key: string, from: GridPlace, size: GridSize): GridPlace | null {
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  if (step === undefined) return null;
  return {
    row: clamp(from.row + step.row, size.rowCount),
    column: clamp(from.column + step.column, size.columnCount),
  };
}

const clamp = (index: number, count: number): number => Math.min(count - 1, Math.max(0, index));
