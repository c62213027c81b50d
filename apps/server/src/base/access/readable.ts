import type { Filter } from "@hadal/sdk";

/** What a person or program may read of one table. */
export interface TableGrant {
  /** Only rows that pass one of these, each of which is a list of conditions; null: every row. */
  readonly rows: readonly (readonly Filter[])[] | null;
  readonly hiddenColumns: readonly string[];
  /** How the rows may be asked; left out: in any way. */
  readonly bounds?: QueryBounds;
}

/** What a query of an embed may be. */
export interface QueryBounds {
  /** Whether raw rows may be read. */
  readonly rows: boolean;
  /** Columns whose values may be read; `time`: by time buckets. */
  readonly groupBy: readonly string[];
  /** Longest time range, of each side of a comparison. */
  readonly rangeMsMax: number;
}

/** Which tables a person or program may read. */
export interface Readable {
  /** Null: it may not see that the table exists. */
  of(table: string): TableGrant | null;
  /** The same for all who may read the same: part of every cache key. */
  readonly key: string;
  /** Another table is refused as beyond the token, whether it exists or not. */
  readonly isEmbed?: true;
}

const wholeTable: TableGrant = { rows: null, hiddenColumns: [] };

export const everything: Readable = { of: () => wholeTable, key: "" };
