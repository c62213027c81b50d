export const emptyBytes = new DataView(new ArrayBuffer(0));

/** Bytes are read through a view: four at a time where they need not be looked at one by one. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

export function textOf({ buffer, byteOffset }: DataView, start: number, end: number): string {
  return Buffer.from(buffer, byteOffset + start, end - start).toString("utf8");
}

/** Does not copy a single part. */
export function joinBytes(parts: readonly Uint8Array[]): Buffer {
  const [first] = parts;
  if (parts.length !== 1 || first === undefined) return Buffer.concat(parts);
  return bufferOf(first);
}

export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
