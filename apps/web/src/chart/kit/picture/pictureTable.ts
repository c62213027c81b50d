/** A table of texts. */
export interface PictureTable {
  readonly columns: readonly PictureColumn[];
  readonly rows: readonly PictureRow[];
  /** Rows that exist beyond these. */
  readonly more: number;
}

export interface PictureColumn {
  readonly head: string;
  readonly align: "left" | "right";
  /** Takes what the others leave. */
  readonly grows?: boolean;
}

export interface PictureRow {
  readonly cells: readonly PictureCell[];
  /** The colour of its mark in the chart. */
  readonly swatch?: string;
  readonly isTotal?: boolean;
}

export interface PictureCell {
  readonly text: string;
  readonly color?: string;
  /** Behind the whole cell. */
  readonly ground?: string;
  /** A bar behind the text: its share of the cell. */
  readonly fill?: number;
  /** Lines over time: the number, and side B's. */
  readonly spark?: {
    readonly values: readonly (number | null)[];
    readonly compare: readonly (number | null)[] | null;
    readonly color: string;
  };
}

/** More rows than a picture can have. */
export const tableRowsMax = 200;
