import type { CsvReading } from "@hadal/sdk";
import type { Steps } from "../../base/schedule/steps.js";

/** A longer row is refused alone: reading it would delay all other requests. */
export const rowBytesMax = 1_048_576;

export const rowTooLong = `The row is longer than ${rowBytesMax} bytes (rowBytesMax).`;

/** Reads rows from the bytes of a body, in pieces of any size. */
export interface RowReader {
  /** Long work is returned as steps, which the caller runs before the next call. */
  push(bytes: Uint8Array): Steps<void> | undefined;
  end(): Steps<void> | undefined;
  /**
   * Bytes to push at a time; absent: any. Not a getter: V8 keeps the getter of an object made for
   * each body for long, and with it all rows of the body.
   */
  pieceBytes?(): number;
  /** How the rows were read, where that had to be found out; known at the end. */
  reading?(): CsvReading;
}
