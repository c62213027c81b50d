import { isUtf8 } from "node:buffer";

/** Marks bytes that were not UTF-8. No valid text contains it: it is half of a surrogate pair. */
export const notUtf8 = "\udcff";

const newline = 0x0a;

/**
 * Reads bytes as they come, line by line: a line that is not UTF-8 is marked by {@link notUtf8},
 * others are as they are.
 */
export class MarkedTextDecoder {
  #rest: Buffer = Buffer.alloc(0);

  push(bytes: Uint8Array): string {
    const all = Buffer.concat([this.#rest, bytes]);
    const end = all.length - openBytes(all);
    this.#rest = all.subarray(end);
    return decode(all.subarray(0, end));
  }

  end(): string {
    const text = decode(this.#rest);
    this.#rest = Buffer.alloc(0);
    return text;
  }
}

function decode(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(newline, at);
    const end = found < 0 ? bytes.length : found + 1;
    const line = bytes.subarray(at, end);
    const read = line.toString("utf8");
    text += isUtf8(line) ? read : read.replaceAll("\ufffd", notUtf8);
    at = end;
  }
  return text;
}

/** Bytes at the end that begin a character whose other bytes are still to come. */
function openBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < length ? back : 0;
  }
  return 0;
}
