import type { Hash } from "node:crypto";
import type { JsonRows } from "@hadal/kernel-wasm";
import type { BinaryForm, CsvColumnType, CsvDecimal, RawParameters, RowsPreview } from "@hadal/sdk";
import type { RowCollector } from "../row/rowCollector.js";
import type { RowReader } from "../row/rowReader.js";

/** A format that rows are sent in. */
export interface IngestFormat {
  /** All in lower case; the first one is its name. */
  readonly mediaTypes: readonly string[];
  /** A route of its own gives bodies this type: clients are not asked to send it. */
  readonly isOfRoute?: true;
  /** Opens a reader for one body, or for what `translate` makes of it. */
  open(collector: RowCollector, options: FormatOptions): RowReader | Promise<RowReader>;
  /** For a format whose bodies are turned into another format's bytes before they are read. */
  translate?(options: TranslateOptions): BodyTranslation;
}

/** The request's options for reading its body. */
export interface FormatOptions {
  readonly timeName: string | undefined;
  /** What columns of bytes become. */
  readonly binary?: BinaryForm | undefined;
  /** The kernel's reader of lines of JSON. */
  readonly json: JsonRows;
  /** Refused with formats other than CSV. */
  readonly csv?: CsvOptions | undefined;
  /** How raw lines are read. */
  readonly raw?: RawParameters | undefined;
}

/** The request's options; those left out are decided by the first rows. */
export interface CsvOptions {
  readonly delimiter?: string | undefined;
  readonly decimal?: CsvDecimal | undefined;
  readonly nullTexts?: ReadonlySet<string> | undefined;
  readonly types?: ReadonlyMap<string, CsvColumnType> | undefined;
  /**
   * Whether a header without the time is read, so that a person sees the columns to choose from.
   */
  readonly timeMayLack?: boolean | undefined;
}

export interface TranslateOptions {
  readonly timeName: string | undefined;
  readonly binary: BinaryForm | undefined;
  /** The zone that the request names. */
  readonly zone: string | null;
  /** Sees every byte as it was sent. */
  readonly hash: Hash | undefined;
  /** A preview shows the columns of a file that lacks the time. */
  readonly isPreview: boolean;
}

export interface BodyTranslation {
  lines(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
  /** The preview of the body; complete when all lines are read. */
  preview(): Partial<RowsPreview>;
}
