import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { type GridPlace, type GridSize, gridStep } from "./gridStep.js";

export interface GridCursorOptions extends GridSize {
  /** The row may be outside of the rendered rows: it is scrolled to before its cell gets the focus. */
  readonly scrollTo: (row: number) => void;
  /** Enter or Space on a cell; x and y are where its menu opens. */
  readonly onCell:
    | ((rowIndex: number, columnIndex: number, x: number, y: number) => void)
    | undefined;
}

/** One cell is in the tab order; arrow keys move it. Cells are marked by `data-cell="row:column"`. */
export function useGridCursor({ rowCount, columnCount, scrollTo, onCell }: GridCursorOptions) {
  const [at, setAt] = useState<GridPlace>({ row: 0, column: 0 });
  const gridRef = useRef<HTMLElement | null>(null);

  useEffect(() => {
    const cell = gridRef.current?.querySelector<HTMLElement>(
      `[data-cell="${at.row}:${at.column}"]`,
    );
    cell?.focus({ preventScroll: true });
  }, [at]);

  return {
    isAt: (row: number, column: number) =>
      Math.min(at.row, rowCount - 1) === row && Math.min(at.column, columnCount - 1) === column,
    onKeyDown(event: KeyboardEvent<HTMLElement>): void {
      const cell = (event.target as HTMLElement).closest<HTMLElement>("[data-cell]");
      if (cell === null || cell !== event.target) return;
      const [row = 0, column = 0] = (cell.dataset.cell ?? "").split(":").map(Number);
      const next = gridStep(event.key, { row, column }, { rowCount, columnCount });
      if (next !== null) {
        event.preventDefault();
        gridRef.current = event.currentTarget;
        scrollTo(next.row);
        setAt(next);
      } else if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        event.stopPropagation();
        const box = cell.getBoundingClientRect();
        onCell?.(row, column, box.left + 12, box.bottom);
      }
    },
  };
}
