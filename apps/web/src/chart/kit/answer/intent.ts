import type { ColumnChange, Filter } from "@hadal/sdk";

/** One column's value of a group. */
export interface GroupCell {
  readonly column: string;
  readonly value: string | number | bigint | null;
  /** Its elements, where a whole list is one value; `value` is only its key. */
  readonly list?: readonly string[];
  /** How people read it, where that is not the value itself: `10 – 20 ms` for the bucket that begins with 10,000 µs. */
  readonly text?: string;
}

/** What was touched, and where on the page its menu belongs. */
export interface Mark {
  readonly group: readonly GroupCell[];
  /** Filters of these rows, where the values of the group do not give them (a range, a frame of a stack). */
  readonly filters?: readonly Filter[];
  /** Why no filters select these rows, in words; absent: filters do. */
  readonly noFilter?: string;
  /** Conditions beside those of the group's values (a range of numbers within a group). */
  readonly also?: readonly Filter[];
  /** The times of these rows, if the mark is a part of the range. */
  readonly range?: { readonly fromMs: number; readonly toMs: number };
  /** The times that these were chosen from by hand. */
  readonly rangeOf?: { readonly fromMs: number; readonly toMs: number };
  /** The moment of an annotation: times before and after it can be compared. */
  readonly momentMs?: number;
  /** The alert rules that fired then. */
  readonly alerts?: readonly { readonly id: string; readonly title: string }[];
  /** What the menu calls it; by default the values of the group. */
  readonly label?: string;
  /** The exact value, for copying. */
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** Requests of the user on a chart. Charts change no state themselves. */
export type ChartIntent =
  | { readonly kind: "pick"; readonly mark: Mark }
  | { readonly kind: "zoom"; readonly fromMs: number; readonly toMs: number }
  | { readonly kind: "sort"; readonly by: string; readonly desc: boolean }
  /** These rows only, or without them, in one step. */
  | { readonly kind: "filter"; readonly filters: readonly Filter[]; readonly exclude: boolean }
  /** The rows grouped by the template of a text column. */
  | { readonly kind: "patterns"; readonly column: string }
  /** The numbers over time, grouped by a column that changed. */
  | { readonly kind: "group over time"; readonly column: ColumnChange }
  /** The same question again. */
  | { readonly kind: "again" }
  /** A view's own option, as the form sets it; null: as the view has it. */
  | { readonly kind: "option"; readonly name: string; readonly value: string | null };

export type OnIntent = (intent: ChartIntent) => void;
