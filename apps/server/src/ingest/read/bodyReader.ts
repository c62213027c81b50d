import type { BinaryForm, ColumnSetting, RowsPreview } from "@hadal/sdk";
import type { Sender } from "../body/fairOrder.js";
import type { CsvOptions } from "../format/ingestFormat.js";
import type { MinuteRows } from "../ledger/minuteCounts.js";
import type { EncodedBatch } from "../place/outgoingBatch.js";
import type { CollectedRows } from "../row/rowCollector.js";
import type { TimeRule } from "../value/timeRule.js";
import type { ShareRange } from "./dealRows.js";

/** How a body is to be read. Plain data: it goes to other threads. */
export interface ReadRequest {
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly timeName: string | undefined;
  readonly timeRule: TimeRule;
  readonly binary: BinaryForm | undefined;
  readonly csv: CsvOptions;
  /** What is set for the table's columns. */
  readonly columns: readonly ColumnSetting[];
  /** What the hash of the request starts with, before the bytes of its body; null: no hash is needed. */
  readonly hashStart: string | null;
  /** Whether a preview is wanted instead of rows to store. */
  readonly isPreview: boolean;
  readonly sender: Sender;
}

/** What came of a body, without its rows. */
export interface ReadOutcome extends Omit<CollectedRows, "batches"> {
  readonly batchCount: number;
  readonly columnNames: readonly string[];
  /** What its rows take until leaves hold them. */
  readonly bytes: number;
  /** 32 hexadecimal digits; empty where no hash was asked for. */
  readonly requestHash: string;
  readonly preview: RowsPreview | null;
}

/** Rows of one batch that go to one leaf together. */
export interface CutPart {
  /** Its number in the body: what it is encoded by. */
  readonly part: number;
  readonly rowCount: number;
  /** What it takes, about. */
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
  /** Lets go of the rows. */
  close(): void;
}

/** How far a body is read. */
export interface ReadProgress {
  readonly bodyBytes: number;
  /** What the rows take that were read of it. */
  readonly rowBytes: number;
}

/** The memory that a body is read into. */
export interface ReadRoom {
  /**
   * Resolves when there is room for what is read and for some of what follows, with how many bytes of the body may be read
   * before this is to be asked again. Rejects where there will be none.
   */
  coverNext(progress: ReadProgress): Promise<number>;
}

/** Reads whole bodies. Rejects where one cannot be read, or the room is refused; the body is released then. */
export interface BodyReader {
  read(body: AsyncIterable<Uint8Array>, request: ReadRequest, room: ReadRoom): Promise<ReadBody>;
}
