import { type KeyboardEvent, useState } from "react";

export interface GridCursor {
  readonly isAt: (row: number, column: number) => boolean;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

const steps: Readonly<Record<string, readonly [row: number, column: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** One cell at a time is in the tab order; the arrows move it, Enter and Space touch it. */
export function useGridCursor(rowCount: number, columnCount: number): GridCursor {
  const [at, setAt] = useState({ row: 0, column: 0 });
  const row = Math.min(at.row, rowCount - 1);
  const column = Math.min(at.column, columnCount - 1);
  return {
    isAt: (r, c) => r === row && c === column,
    onKeyDown(event) {
      const { key, currentTarget, target } = event;
      const step = steps[key];
      if (step !== undefined) {
        const next = {
          row: Math.min(rowCount - 1, Math.max(0, row + step[0])),
          column: Math.min(columnCount - 1, Math.max(0, column + step[1])),
        };
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
