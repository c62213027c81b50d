/** One column's value of a group. */
export interface GroupCell {
  readonly column: string;
  readonly value: string | number | bigint | null;
}

/** What was touched, and where on the page its menu belongs. */
export interface Mark {
  readonly group: readonly GroupCell[];
  /** The exact value, for copying. */
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** What a reader asks for by touching a chart. Charts change nothing themselves. */
export type ChartIntent =
  | { readonly kind: "pick"; readonly mark: Mark }
  | { readonly kind: "zoom"; readonly fromMs: number; readonly toMs: number }
  | { readonly kind: "sort"; readonly by: string; readonly desc: boolean };

export type OnIntent = (intent: ChartIntent) => void;
