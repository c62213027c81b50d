import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { readerStorage } from "../../ui/storage/browserStorage.js";

const storageKey = "hadal.formWidth";
const [widthMin, widthDefault, widthMax] = [260, 300, 480];

export interface FormWidth {
  readonly width: number;
  /** Handlers of the separator between form and result: drag, or the arrow keys. */
  readonly separator: {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
    readonly onDoubleClick: () => void;
  };
  readonly min: number;
  readonly max: number;
}

/** The width of the form; the browser stores it. */
export function useFormWidth(): FormWidth {
  const [width, setWidth] = useState(readWidth);
  const set = (px: number): void => {
    const next = Math.round(Math.min(widthMax, Math.max(widthMin, px)));
    setWidth(next);
    readerStorage.setItem(storageKey, String(next));
  };
  return {
    width,
    min: widthMin,
    max: widthMax,
    separator: {
      onPointerDown: (event) => event.currentTarget.setPointerCapture(event.pointerId),
      onPointerMove: (event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) set(event.clientX);
      },
      onKeyDown: (event) => {
        const step = event.key === "ArrowLeft" ? -16 : event.key === "ArrowRight" ? 16 : 0;
        if (step !== 0) set(width + step);
      },
      onDoubleClick: () => set(widthDefault),
    },
  };
}

function readWidth(): number {
  const stored = Number(readerStorage.getItem(storageKey));
  return stored >= widthMin && stored <= widthMax ? stored : widthDefault;
}
