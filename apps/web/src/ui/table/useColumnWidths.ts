import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { readerStorage } from "../storage/browserStorage.js";

const storageKey = "hadal.columnWidths";
const [widthMin, widthMax, stepPx] = [48, 1_200, 16];
/** The newest are kept: 500 × 30 bytes are far below the limit of browser storage. */
const columnsMax = 500;

export interface ColumnWidths {
  /** As the user has set it; null: the table's own width. */
  widthOf(key: string): number | null;
  /** Listeners of the handle in a column's head: drag or arrow keys set the width, a double click resets it. */
  handleOf(key: string): {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
    readonly onDoubleClick: () => void;
  };
}

/** Column widths by key, kept in browser storage. */
export function useColumnWidths(): ColumnWidths {
  const [widths, setWidths] = useState(readWidths);
  const set = (key: string, px: number | null): void => {
    const next = new Map(widths);
    next.delete(key);
    if (px !== null) next.set(key, Math.round(Math.min(widthMax, Math.max(widthMin, px))));
    setWidths(next);
    readerStorage.setItem(storageKey, JSON.stringify([...next].slice(-columnsMax)));
  };
  const boxOf = (handle: HTMLElement): DOMRect | undefined =>
    handle.parentElement?.getBoundingClientRect();
  return {
    widthOf: (key) => widths.get(key) ?? null,
    handleOf: (key) => ({
      onPointerDown: (event) => event.currentTarget.setPointerCapture(event.pointerId),
      onPointerMove: (event) => {
        const box = boxOf(event.currentTarget);
        if (box === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
        set(key, event.clientX - box.left);
      },
      onKeyDown: (event) => {
        const step = event.key === "ArrowLeft" ? -stepPx : event.key === "ArrowRight" ? stepPx : 0;
        const box = boxOf(event.currentTarget);
        if (step === 0 || box === undefined) return;
        event.preventDefault();
        set(key, box.width + step);
      },
      onDoubleClick: () => set(key, null),
    }),
  };
}

/** Browser storage may contain anything: invalid entries are skipped. */
function readWidths(): ReadonlyMap<string, number> {
  const widths = new Map<string, number>();
  try {
    const stored: unknown = JSON.parse(readerStorage.getItem(storageKey) ?? "[]");
    for (const entry of Array.isArray(stored) ? stored : []) {
      const [key, px] = Array.isArray(entry) ? entry : [];
      if (typeof key === "string" && px >= widthMin && px <= widthMax) widths.set(key, Number(px));
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return widths;
}
