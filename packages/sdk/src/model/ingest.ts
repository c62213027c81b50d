import type { ColumnType } from "./schema.js";

/** How safe a batch is when it is acknowledged: in a leaf's memory, or on its disk. */
export type AckLevel = "received" | "durable";

/**
 * What one unit of a number in the time column is. `auto`: for each value, the one that puts it between 1990 and ten
 * years ahead. Every other one is taken at its word.
 */
export type TimeUnit = (typeof timeUnits)[number];

export const timeUnits = ["s", "ms", "us", "ns", "auto"] as const;

/** What becomes of bytes whose type does not say that they are text: `text` refuses what is not UTF-8. */
export type BinaryForm = "text" | "hex";

/** Why one row was refused. `line` counts from 1 in the body as it was sent (rows of a JSON array and records of CSV: their first line). */
export interface RowProblem {
  readonly line: number;
  readonly code: string;
  readonly detail: string;
}

/** The answer to a batch of rows. At most {@link rowProblemsMax} problems are listed; `rejected` counts all. */
export interface IngestReply {
  readonly batchId: string;
  readonly accepted: number;
  readonly rejected: number;
  readonly problems: readonly RowProblem[];
  readonly ack: AckLevel;
  /** How the body was read, where it was CSV. */
  readonly csv?: CsvReading;
}

/** How a column of CSV is read: `number` takes whole numbers and fractions as they come, `set` and `vector` lists of texts in JSON. */
export type CsvColumnType =
  | "string"
  | "integer"
  | "number"
  | `decimal(${number})`
  | "set"
  | "vector";

export interface CsvColumn {
  readonly name: string;
  /** null while no row had a value. */
  readonly type: CsvColumnType | null;
  /** Why the column is text although some of its values are numbers. */
  readonly reason?: string;
}

/** How a CSV body was read. Sent with the file's next body, that one is read alike. */
export interface CsvReading {
  readonly delimiter: string;
  /** null: no value tells it so far; the file's next body may. */
  readonly decimal: CsvDecimal | null;
  /** In the header's order; without the columns that hold the time and the sample rate. */
  readonly columns: readonly CsvColumn[];
  /** Texts such as `NA` that were read as missing in columns of numbers, and how many rows had them. */
  readonly missing: readonly {
    readonly column: string;
    readonly text: string;
    readonly count: number;
  }[];
}

/** What stands before the digits of a fraction. */
export type CsvDecimal = "." | ",";

/** The parameters of a request that tell how CSV is read, as texts. */
export interface CsvParameters {
  readonly delimiter?: string | undefined;
  readonly decimal?: string | undefined;
  /** Texts that mean missing, separated by commas. */
  readonly null?: string | undefined;
  /** `price:decimal(2),zip:string`; `printCsvTypes` writes it. */
  readonly types?: string | undefined;
}

/** A column as its rows would be stored. */
export interface PreviewColumn {
  readonly name: string;
  readonly type: "time" | ColumnType;
  /** Digits behind the point; 0 for whole numbers and for other types. */
  readonly decimals: number;
}

/** What would become of a body: the answer to `?preview=true`, which stores nothing. */
export interface RowsPreview {
  readonly accepted: number;
  readonly rejected: number;
  readonly problems: readonly RowProblem[];
  /** The time first, the others in the order of the rows. */
  readonly columns: readonly PreviewColumn[];
  /** The first rows that were accepted, at most {@link previewRowsMax}: a cell a column, null where missing, numbers as their decimal texts. */
  readonly rows: readonly (readonly (string | number | readonly string[] | null)[])[];
  readonly csv?: CsvReading;
}

export const previewRowsMax = 50;
export const rowProblemsMax = 100;
