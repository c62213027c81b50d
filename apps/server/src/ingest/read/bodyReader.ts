import type { BinaryForm, ColumnSetting, RawParameters, RowsPreview } from "@hadal/sdk";
import type { Sender } from "../body/fairOrder.js";
import type { CsvOptions } from "../format/ingestFormat.js";
import type { MinuteRows } from "../ledger/minuteCounts.js";
import type { EncodedBatch } from "../place/outgoingBatch.js";
import type { CollectedRows } from "../row/rowCollector.js";
import type { TimeRule } from "../value/timeRule.js";
import type { ShareRange } from "./dealRows.js";

/** How to read a body. Plain data, as it is posted to other threads. */
export interface ReadRequest {
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly timeName: string | undefined;
  readonly timeRule: TimeRule;
  readonly binary: BinaryForm | undefined;
  readonly csv: CsvOptions;
  readonly raw: RawParameters | undefined;
  /** The settings of the table's columns. */
  readonly columns: readonly ColumnSetting[];
  /** Hashed before the bytes of the body; null: no hash is needed. */
  readonly hashStart: string | null;
  /** Whether a preview is wanted instead of rows to store. */
  readonly isPreview: boolean;
  readonly sender: Sender;
}

/** What came of a body, without its rows. */
export interface ReadOutcome extends Omit<CollectedRows, "batches"> {
  readonly batchCount: number;
  readonly columnNames: readonly string[];
  /** Bytes of its rows until leaves have stored them. */
  readonly bytes: number;
  /** 32 hexadecimal digits; empty without a hash. */
  readonly requestHash: string;
  readonly preview: RowsPreview | null;
}

/** Rows of one batch that go to one leaf together. */
export interface CutPart {
  /** The number of the batch in the body, by which it is encoded. */
  readonly part: number;
  readonly rowCount: number;
  /** Approximate bytes. */
  readonly bytes: number;
  readonly minutes: MinuteRows;
}

/** A body that was read; its rows stay where they were read. */
export interface ReadBody {
  readonly outcome: ReadOutcome;
  /** The parts of a batch by ranges of its shares; null where no row is in a range. */
  cut(
    batch: number,
    batchId: string,
    ranges: readonly ShareRange[],
  ): Promise<readonly (CutPart | null)[]>;
  encode(part: number): Promise<EncodedBatch>;
  /** Releases the rows. */
  close(): void;
}

/** How far a body is read. */
export interface ReadProgress {
  readonly bodyBytes: number;
  /** Bytes of the rows read so far. */
  readonly rowBytes: number;
}

/** The memory that a body is read into. */
export interface ReadMemory {
  /**
   * Resolves when memory is reserved for the rows so far and some more, with the number of bytes of
   * the body that may be read before the next call. Rejects if there will be no memory.
   */
  coverNext(progress: ReadProgress): Promise<number>;
}

/**
 * Reads whole bodies. Rejects if a body cannot be read or memory is refused; then the body is
 * released.
 */
export interface BodyReader {
  read(
    body: AsyncIterable<Uint8Array>,
    request: ReadRequest,
    memory: ReadMemory,
  ): Promise<ReadBody>;
}
