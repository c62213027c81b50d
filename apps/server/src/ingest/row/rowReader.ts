import type { CsvReading } from "@hadal/sdk";
import type { Steps } from "../../base/schedule/steps.js";

/** What is longer is refused alone: to read it would hold up everybody else. */
export const rowBytesMax = 1_048_576;

export const rowTooLong = `The row is longer than ${rowBytesMax} bytes (rowBytesMax).`;

/** Reads rows out of the bytes of a body, in whatever pieces they come. */
export interface RowReader {
  /** Work that takes long comes back as steps, to be done before anything else is asked of it. */
  push(bytes: Uint8Array): Steps<void> | undefined;
  end(): Steps<void> | undefined;
  /**
   * How much it is to be given at a time; any where it does not say. No getter: one of an object that is made for each
   * body is known to the engine for long, and all rows of the body with it.
   */
  pieceBytes?(): number;
  /** How the rows were read, where that had to be found out; known at the end. */
  reading?(): CsvReading;
}
