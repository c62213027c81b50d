/** Reads rows out of the bytes of a body, in whatever pieces they come. */
export interface RowReader {
  push(bytes: Uint8Array): void;
  end(): void;
}
