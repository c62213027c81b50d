import { Readable, type Transform } from "node:stream";
import * as zlib from "node:zlib";
import { HadalError } from "@hadal/sdk";
import { createZstdInflater } from "../../base/compress/zstdStream.js";

/**
 * A batch of 5,000 rows is 2 MB; 64 MiB leaves room for large ones and keeps one request from
 * filling the memory.
 */
export const bodyBytesMax = 67_108_864;
/** Logs shrink 10 to 100 times; a bomb shrinks 1,000 times. */
const inflateRatioMax = 300;
/** Below this even a bomb does no harm, and small repetitive bodies may shrink a lot. */
const ratioFromBytes = 4_194_304;
/** Bytes read at once: enough rows that the cost per block does not matter. */
const inflateChunkBytes = 131_072;

/**
 * The bytes of a body, inflated. Throws `body-too-large` as soon as the compressed or the inflated
 * bytes pass a bound, and `body-undecodable` where the compression breaks.
 */
export async function* readBody(
  source: AsyncIterable<Uint8Array>,
  contentEncoding: string | undefined,
): AsyncGenerator<Uint8Array> {
  const inflater = createInflater(contentEncoding);
  const sent = { bytes: 0 };
  const counted = countBytes(source, sent);
  if (inflater === null) {
    yield* counted;
    return;
  }
  let inflatedBytes = 0;
  try {
    for await (const chunk of inflate(counted, inflater)) {
      inflatedBytes += chunk.length;
      if (inflatedBytes > bodyBytesMax) throw tooLarge("bodyBytesMax, after decompression");
      if (inflatedBytes > ratioFromBytes && inflatedBytes > sent.bytes * inflateRatioMax) {
        throw tooLarge(`inflateRatioMax: it shrank more than ${inflateRatioMax} times`);
      }
      yield chunk;
    }
  } finally {
    inflater.destroy();
  }
}

async function* inflate(
  source: AsyncIterable<Uint8Array>,
  inflater: Transform,
): AsyncGenerator<Uint8Array> {
  const compressed = Readable.from(source, { objectMode: false });
  let sourceError: unknown = null;
  compressed.on("error", (error) => {
    sourceError = error;
    inflater.destroy(error);
  });
  try {
    yield* compressed.pipe(inflater) as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (sourceError !== null) throw sourceError;
    if (error instanceof HadalError) throw error;
    throw new HadalError("body-undecodable", {
      detail: `The compressed body is broken: ${(error as Error).message}. Nothing of it was stored.`,
    });
  } finally {
    compressed.destroy();
  }
}

async function* countBytes(
  source: AsyncIterable<Uint8Array>,
  sent: { bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    sent.bytes += chunk.length;
    if (sent.bytes > bodyBytesMax) throw tooLarge("bodyBytesMax");
    yield chunk;
  }
}

function createInflater(contentEncoding: string | undefined): Transform | null {
  const options = { chunkSize: inflateChunkBytes };
  switch ((contentEncoding ?? "identity").trim().toLowerCase()) {
    case "":
    case "identity":
      return null;
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip(options);
    case "deflate":
      return zlib.createInflate(options);
    case "zstd":
      return createZstdInflater(bodyBytesMax, () => tooLarge("bodyBytesMax, after decompression"));
    default:
      throw new HadalError("unsupported-media-type", {
        detail: `Content-Encoding ${contentEncoding} is not known; send gzip, deflate, zstd or none.`,
      });
  }
}

function tooLarge(limitName: string): HadalError {
  return new HadalError("body-too-large", { max: bodyBytesMax, limitName });
}
