import { type DragEvent, type KeyboardEvent, useState } from "react";

/** The MIME type of a dragged chip names its list: only types can be read during a drag. */
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
  /** For the list itself: a drop beside the chips moves to the end. */
  readonly list: {
    readonly "data-dropping": boolean;
    readonly onDragOver: (event: DragEvent<HTMLElement>) => void;
    readonly onDragLeave: () => void;
    readonly onDrop: (event: DragEvent<HTMLElement>) => void;
  };
}

/** Chips of another list that may be dropped here; they also stay in their list. */
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

/** Alt with Up and Down: browsers use Alt with Left and Right for Back and Forward. */
function stepOf({ key, altKey }: KeyboardEvent<HTMLElement>): number {
  if (!altKey) return 0;
  return key === "ArrowUp" ? -1 : key === "ArrowDown" ? 1 : 0;
}
