import { type KeyboardEvent, useState } from "react";
import { type GridSize, gridStep } from "../../../ui/table/gridStep.js";

export interface GridCursor {
  readonly isAt: (row: number, column: number) => boolean;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** One cell is in the tab order; arrow keys move it, Enter and Space click it. */
export function useGridCursor(size: GridSize): GridCursor {
  const [at, setAt] = useState({ row: 0, column: 0 });
  const row = Math.min(at.row, size.rowCount - 1);
  const column = Math.min(at.column, size.columnCount - 1);
  return {
    isAt: (r, c) => r === row && c === column,
    onKeyDown(event) {
      const { key, currentTarget, target } = event;
      const next = gridStep(key, { row, column }, size);
      if (next !== null) {
        setAt(next);
        currentTarget.querySelector<HTMLElement>(`[data-at="${next.row}:${next.column}"]`)?.focus();
      } else if (key === "Enter" || key === " ") {
        (target as HTMLElement).click();
      } else return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
