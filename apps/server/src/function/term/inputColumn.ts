import type { ColumnType } from "@hadal/sdk";

/** A column that an expression or a function reads. */
export interface InputColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Digits behind the point; 0 for other types than int. */
  readonly decimals: number;
}
