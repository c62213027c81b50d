import type { Result } from "@hadal/sdk";
import { useRef, useState } from "react";
import { isTimeColumn } from "../../kit/rows/rowColumns.js";

export interface Tail {
  /** What is shown: the newest answer, or the one that the reader is looking at. */
  readonly result: Result;
  /** Rows above the first that is shown; null: nothing is held back. */
  readonly waiting: NewRows | null;
  /** Shows what has come. */
  readonly catchUp: () => void;
  /** The reader looks at rows, by pointer, keys or scrolling; or does no longer. */
  readonly onLook: (how: Look, looks: boolean) => void;
}

export type Look = "pointer" | "keys" | "scroll";

export interface NewRows {
  readonly count: number;
  /** There are at least as many: an answer has no more. */
  readonly isLeast: boolean;
}

interface TailInput {
  readonly newest: Result;
  readonly questionKey: string;
  readonly isLive: boolean;
}

/** While the rows are in use, live results wait, so that rows do not move. */
export function useHeldTail({ newest, questionKey, isLive }: TailInput): Tail {
  const [looks, setLooks] = useState<ReadonlySet<Look>>(new Set());
  const held = useRef({ result: newest, questionKey });
  const [, redraw] = useState(0);
  const paused = isLive && looks.size > 0 && held.current.questionKey === questionKey;
  if (!paused) held.current = { result: newest, questionKey };
  const { result } = held.current;
  return {
    result,
    waiting: paused && result !== newest ? newRows(newest, result) : null,
    catchUp: () => {
      held.current = { result: newest, questionKey };
      redraw((count) => count + 1);
    },
    onLook: (how, isLooking) => {
      if (looks.has(how) === isLooking) return;
      const next = new Set(looks);
      if (isLooking) next.add(how);
      else next.delete(how);
      setLooks(next);
    },
  };
}

/** How many rows the newer answer has above the older one's first; both begin with the newest. */
export function newRows(newer: Result, older: Result): NewRows {
  const [times, before] = [timesOf(newer), timesOf(older)];
  const [first = Number.NEGATIVE_INFINITY] = before;
  const atOnce = (all: readonly number[]) => all.filter((time) => time === first).length;
  const count = times.filter((time) => time > first).length;
  if (count === times.length) return { count, isLeast: before.length > 0 };
  return { count: count + Math.max(0, atOnce(times) - atOnce(before)), isLeast: false };
}

function timesOf({ columns, rows }: Result): readonly number[] {
  const index = columns.findIndex(isTimeColumn);
  return rows.map((row) => Number(row[index]));
}
