import type { ColumnType } from "../schema.js";

/** How safe a batch is when it is acknowledged: in a leaf's memory, on its disk, or on the disks of two machines. */
export type AckLevel = "received" | "durable" | "replicated";

/**
 * What one unit of a number in the time column is. `auto`: for each value, the one that puts it
 * between 1990 and ten years ahead. Every other one is taken at its word.
 */
export type TimeUnit = (typeof timeUnits)[number];

export const timeUnits = ["s", "ms", "us", "ns", "auto"] as const;

/**
 * How the time of a row was read: as a number in one of the units, as a text with its zone, as one
 * without (`local`, in the zone that the request names), or from a column whose type is a time.
 */
export type TimeForm = (typeof timeForms)[number];

export const timeForms = ["s", "ms", "us", "ns", "text", "local", "typed"] as const;

/** How the times of a body were read, by rows that were accepted. */
export interface TimesReading {
  readonly forms: readonly { readonly form: TimeForm; readonly rows: number }[];
  /** Rows whose time without a zone comes twice, when clocks go back: the earlier one is taken. */
  readonly repeated: number;
}

/**
 * What becomes of bytes whose type does not say that they are text: `text` refuses what is not
 * UTF-8.
 */
export type BinaryForm = "text" | "hex";

/**
 * Why one row was refused. `line` counts from 1 in the body as it was sent (rows of a JSON array
 * and records of CSV: their first line).
 */
export interface RowProblem {
  readonly line: number;
  readonly code: string;
  readonly detail: string;
}

/**
 * The answer to a batch of rows. At most {@link rowProblemsMax} problems are listed; `rejected`
 * counts all.
 */
export interface IngestReply {
  readonly batchId: string;
  readonly accepted: number;
  readonly rejected: number;
  readonly problems: readonly RowProblem[];
  readonly ack: AckLevel;
  /** How the body was read, where it was CSV. */
  readonly csv?: CsvReading;
}

/** The answer to rows of several tables that were sent together: each of them was accepted. */
export interface BatchesReply {
  readonly batchId: string;
  /** Rows of all tables. */
  readonly accepted: number;
  readonly tables: Readonly<Record<string, { readonly accepted: number }>>;
  readonly ack: AckLevel;
}

/**
 * How a column of CSV is read: `number` takes whole numbers and fractions as they come, `set` and
 * `vector` lists of texts in JSON.
 */
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
  /** null: no value has shown it yet; the file's next body may. */
  readonly decimal: CsvDecimal | null;
  /** In the header's order; without the columns of the time and the sample rate. */
  readonly columns: readonly CsvColumn[];
  /**
   * Texts such as `NA` that were read as missing in columns of numbers, and how many rows had them.
   */
  readonly missing: readonly {
    readonly column: string;
    readonly text: string;
    readonly count: number;
  }[];
}

/** The decimal separator. */
export type CsvDecimal = "." | ",";

/** The parameters of a request that say how CSV is read, as texts. */
export interface CsvParameters {
  readonly delimiter?: string | undefined;
  readonly decimal?: string | undefined;
  /** Texts that mean missing, separated by commas. */
  readonly null?: string | undefined;
  /** `price:decimal(2),zip:string`; `printCsvTypes` writes it. */
  readonly types?: string | undefined;
}

/** The parameters of a request that say how raw lines and profiles are read. */
export interface RawParameters {
  /** `combined`, `syslog`, `log4j`, `logfmt` and others, or a pattern of RE2 with named groups. */
  readonly pattern?: string | undefined;
  /** Which lines belong to the event before; left out: as the pattern has it. */
  readonly multiline?: "none" | "indented" | "unmatched" | undefined;
  /** The time of folded stacks, and of the end of a `.cpuprofile`; left out: when they are received. */
  readonly at?: string | undefined;
}

/** What a Parquet file says of itself. */
export interface ParquetReading {
  readonly rows: number;
  /** Its own columns with their types as Parquet calls them: a struct is one. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
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
  /**
   * The first rows that were accepted, at most {@link previewRowsMax}: a cell a column, null where
   * missing, numbers as their decimal texts.
   */
  readonly rows: readonly (readonly (string | number | readonly string[] | null)[])[];
  readonly csv?: CsvReading;
  readonly times: TimesReading;
  /**
   * Also of a file that has no column of the time's name: nothing of it is accepted then, nor
   * rejected.
   */
  readonly parquet?: ParquetReading;
}

export const previewRowsMax = 50;
export const rowProblemsMax = 100;
