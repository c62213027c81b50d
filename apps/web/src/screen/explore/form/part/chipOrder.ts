import { type DragEvent, type KeyboardEvent, useState } from "react";

/** The data of a dragged chip: its list and its place. The list is part of the MIME type, which is readable during the drag. */
const typeOf = (kind: ChipKind): string => `application/x-hadal-${kind}`;

export type ChipKind = "aggregate" | "group" | "filter" | "column";

/** What a chip needs to be dragged, or moved by Alt and the arrow keys. */
export interface ChipDrag {
  readonly draggable: true;
  readonly onDragStart: (event: DragEvent<HTMLElement>) => void;
  readonly onDragOver: (event: DragEvent<HTMLElement>) => void;
  readonly onDrop: (event: DragEvent<HTMLElement>) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

export interface ChipOrder {
  chip(index: number): ChipDrag;
  /** For the list itself: dropping beside the chips moves to the end; chips of the other list may be taken in. */
  readonly list: {
    readonly "data-dropping": boolean;
    readonly onDragOver: (event: DragEvent<HTMLElement>) => void;
    readonly onDragLeave: () => void;
    readonly onDrop: (event: DragEvent<HTMLElement>) => void;
  };
}

/** Another list's chips that may be dropped here; they stay where they were too. */
export interface TakesChips {
  readonly kind: ChipKind;
  readonly onTake: (index: number) => void;
}

export function useChipOrder(
  kind: ChipKind,
  count: number,
  onMove: (from: number, to: number) => void,
  takes?: TakesChips,
): ChipOrder {
  const [dropping, setDropping] = useState(false);
  const isOwn = (event: DragEvent<HTMLElement>) => event.dataTransfer.types.includes(typeOf(kind));
  const isTaken = (event: DragEvent<HTMLElement>): boolean =>
    takes !== undefined && event.dataTransfer.types.includes(typeOf(takes.kind));
  const allow = (event: DragEvent<HTMLElement>): void => {
    if (!isOwn(event) && !isTaken(event)) return;
    event.preventDefault();
    setDropping(true);
  };
  const drop = (event: DragEvent<HTMLElement>, to: number): void => {
    setDropping(false);
    const own = isOwn(event);
    if (!own && !isTaken(event)) return;
    event.preventDefault();
    event.stopPropagation();
    const index = Number(event.dataTransfer.getData(typeOf(own ? kind : (takes?.kind ?? kind))));
    if (!Number.isInteger(index)) return;
    if (own) onMove(index, to);
    else takes?.onTake(index);
  };
  return {
    chip: (index) => ({
      draggable: true,
      onDragStart: (event) => {
        event.dataTransfer.setData(typeOf(kind), String(index));
        event.dataTransfer.effectAllowed = "copyMove";
      },
      onDragOver: allow,
      onDrop: (event) => drop(event, index),
      onKeyDown: (event) => {
        const step = stepOf(event);
        if (step === 0) return;
        event.preventDefault();
        event.stopPropagation();
        onMove(index, index + step);
      },
    }),
    list: {
      "data-dropping": dropping,
      onDragOver: allow,
      onDragLeave: () => setDropping(false),
      onDrop: (event) => drop(event, count - 1),
    },
  };
}

/** Alt with Left and Right walk the history of a browser: Up and Down move a chip. */
function stepOf({ key, altKey }: KeyboardEvent<HTMLElement>): number {
  if (!altKey) return 0;
  return key === "ArrowUp" ? -1 : key === "ArrowDown" ? 1 : 0;
}
