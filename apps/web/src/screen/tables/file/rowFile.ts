/** The reason why a file cannot be read, as a sentence for the reader. */
export class FileFault extends Error {}

/** A chosen file and its decompressed content. */
export interface RowFile {
  readonly name: string;
  /** Bytes of the file, compressed or not. */
  readonly size: number;
  readonly isPacked: boolean;
  /** When it was changed last; null: unknown, as of pasted text. */
  readonly changedMs: number | null;
  /** The start of the content, up to `bytesMax`, and whether it is the whole content. */
  start(bytesMax: number): Promise<FileStart>;
  /** The end of the content, up to `bytesMax`; empty for a longer compressed file. */
  end(bytesMax: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Reads the content from the start; can be called again. */
  open(): OpenFile;
}

export interface FileStart {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isWhole: boolean;
}

export interface OpenFile {
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Bytes of the (compressed) file read so far. */
  readonly bytesRead: () => number;
}

type Unpack = (pieces: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

interface Packing {
  readonly name: string;
  /** The first bytes of its files. */
  readonly magic: readonly number[];
  readonly unpack: Unpack;
}

const packings: readonly Packing[] = [
  { name: "gzip", magic: [0x1f, 0x8b], unpack: unpackGzip },
  { name: "zstd", magic: [0x28, 0xb5, 0x2f, 0xfd], unpack: unpackZstd },
];

/** Opens a file; its first bytes show the compression. Throws {@link FileFault}. */
export async function rowFile(file: Blob, name: string): Promise<RowFile> {
  const head = new Uint8Array(await readable(file.slice(0, 4).arrayBuffer(), name));
  const packing = packings.find(({ magic }) => magic.every((byte, i) => head[i] === byte)) ?? null;
  const open = (): OpenFile => {
    let bytesRead = 0;
    const pieces = counted(piecesOf(file, name), (bytes) => {
      bytesRead += bytes;
    });
    return {
      pieces: packing === null ? pieces : unpacked(pieces, packing, () => where(name, bytesRead)),
      bytesRead: () => bytesRead,
    };
  };
  return {
    name,
    size: file.size,
    isPacked: packing !== null,
    changedMs: file instanceof File ? file.lastModified : null,
    open,
    start: (bytesMax) => readStart(open().pieces, bytesMax),
    async end(bytesMax) {
      if (packing === null) {
        const tail = file.slice(Math.max(0, file.size - bytesMax));
        return new Uint8Array(await readable(tail.arrayBuffer(), name));
      }
      const { bytes, isWhole } = await readStart(open().pieces, bytesMax);
      return isWhole ? bytes : new Uint8Array(0);
    },
  };
}

async function readStart(pieces: AsyncIterable<Uint8Array>, bytesMax: number): Promise<FileStart> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    parts.push(piece);
    length += piece.length;
    if (length > bytesMax) break;
  }
  const bytes = joinParts(parts);
  return { bytes: bytes.subarray(0, bytesMax), isWhole: length <= bytesMax };
}

export function joinParts(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

const where = (name: string, bytesRead: number): string =>
  `“${name}”, within its first ${bytesRead.toLocaleString("en")} bytes`;

/** Replaces the browser's error for a moved file or a folder. */
async function readable<Read>(read: Promise<Read>, name: string): Promise<Read> {
  try {
    return await read;
  } catch {
    throw new FileFault(`“${name}” cannot be read: is it a folder, or was it moved?`);
  }
}

async function* piecesOf(file: Blob, name: string): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await readable(reader.read(), name);
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function* counted(
  pieces: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    onBytes(piece.length);
    yield piece;
  }
}

async function* unpacked(
  pieces: AsyncIterable<Uint8Array>,
  { name, unpack }: Packing,
  place: () => string,
): AsyncGenerator<Uint8Array> {
  try {
    yield* unpack(pieces);
  } catch (error) {
    if (error instanceof FileFault) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new FileFault(`${place()}, is not valid ${name}: ${reason}`);
  }
}

/** The decompression of the browser, which verifies checksums. */
async function* unpackGzip(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { readable: output, writable } = new DecompressionStream("gzip");
  const [writer, reader] = [writable.getWriter(), output.getReader()];
  let fault: unknown = null;
  const write = async (): Promise<void> => {
    for await (const piece of pieces) await writer.write(piece as Uint8Array<ArrayBuffer>);
    await writer.close();
  };
  // A failure of the input is thrown by the loop that reads the output.
  const written = write().catch((error: unknown) => {
    fault = error;
    return writer.abort(error).catch(() => undefined);
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    await written;
    throw fault ?? error;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Small input pieces limit the output of a highly compressed file. */
const zstdBytes = 4_096;

/** Browsers do not support zstd, so a library decompresses it. */
async function* unpackZstd(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { Decompress } = await import("fzstd");
  let out: Uint8Array[] = [];
  // The bytes are a view of a window that is overwritten next.
  const decompress = new Decompress((bytes) => out.push(bytes.slice()));
  const take = (): Uint8Array[] => {
    const taken = out;
    out = [];
    return taken;
  };
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += zstdBytes) {
      decompress.push(piece.subarray(at, at + zstdBytes));
      yield* take();
    }
  }
  decompress.push(new Uint8Array(0), true);
  yield* take();
}
