/**
 * One message between nodes: a JSON header and bytes.
 *
 *   | "HDF1" 4 | headerBytes u32 | header (UTF-8 JSON), padded to 8 | body … |
 *
 * The body starts at a multiple of 8, so that typed arrays can be laid over it.
 */
const magic = 0x31464448;
const prefixBytes = 8;

export interface Frame<Header> {
  readonly header: Header;
  readonly body: Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Encodes a header and any number of body parts into one message. */
export function encodeFrame(header: unknown, body: readonly Uint8Array[] = []): Uint8Array {
  return encodePrintedFrame(JSON.stringify(header), body);
}

/** For a header whose parts go to several receivers, and are printed once. */
export function encodePrintedFrame(header: string, body: readonly Uint8Array[] = []): Uint8Array {
  const text = encoder.encode(header);
  const bodyStart = align8(prefixBytes + text.length);
  const bodyBytes = body.reduce((sum, part) => sum + part.length, 0);
  const out = new Uint8Array(bodyStart + bodyBytes);
  const view = new DataView(out.buffer);
  view.setUint32(0, magic, true);
  view.setUint32(4, text.length, true);
  out.set(text, prefixBytes);
  let at = bodyStart;
  for (const part of body) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/**
 * Reads a message; the body is copied when it is not aligned to 8 bytes. Throws when the bytes are
 * not a frame.
 */
export function decodeFrame<Header>(bytes: Uint8Array): Frame<Header> {
  if (bytes.length < prefixBytes) throw new Error("frame is shorter than its prefix");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = view.getUint32(0, true);
  if (found !== magic) throw new Error(`frame starts with ${found.toString(16)}, not HDF1`);
  const headerBytes = view.getUint32(4, true);
  const bodyStart = align8(prefixBytes + headerBytes);
  if (prefixBytes + headerBytes > bytes.length) throw new Error("frame is shorter than its header");
  const text = decoder.decode(bytes.subarray(prefixBytes, prefixBytes + headerBytes));
  const body = bytes.subarray(Math.min(bodyStart, bytes.length));
  return {
    header: JSON.parse(text) as Header,
    // Not body.slice(): a Buffer's is no copy.
    body: body.byteOffset % 8 === 0 ? body : new Uint8Array(body),
  };
}

function align8(bytes: number): number {
  return (bytes + 7) & ~7;
}
