import type { CsvReading } from "@hadal/sdk";

/** Reads rows out of the bytes of a body, in whatever pieces they come. */
export interface RowReader {
  push(bytes: Uint8Array): void;
  end(): void;
  /** How the rows were read, where that had to be found out; known at the end. */
  reading?(): CsvReading;
}
