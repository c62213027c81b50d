import { Transform } from "node:stream";
import * as zlib from "node:zlib";
import { Decompress } from "fzstd";
import { ZstdFrames } from "./zstdFrames.js";

/** Small enough that input compressed a thousand times is inflated in pieces. */
const sliceBytes = 4_096;

/**
 * Inflates Zstandard: with Node.js itself from 22.15 on, else with fzstd, which inflates as a stream and in
 * JavaScript alone (zstd-wasm would inflate a whole bomb before its bytes could be counted).
 * `onTooLarge` creates the error that ends the stream after more than `inflatedBytesMax`.
 */
export function createZstdInflater(inflatedBytesMax: number, onTooLarge: () => Error): Transform {
  const create = (zlib as { createZstdDecompress?: () => Transform }).createZstdDecompress;
  if (create !== undefined) return create();
  const frames = new ZstdFrames();
  const checkWindow = (windowBytes: number): void => {
    if (windowBytes > inflatedBytesMax) throw onTooLarge();
  };
  let inflatedBytes = 0;
  const decompress = new Decompress((bytes) => {
    inflatedBytes += bytes.length;
    if (inflatedBytes > inflatedBytesMax) throw onTooLarge();
    // The bytes are a view of the window, which the next ones overwrite.
    inflater.push(Buffer.from(bytes));
  });
  const attempt = (work: () => void, done: (error?: Error) => void): void => {
    try {
      work();
      done();
    } catch (error) {
      done(error as Error);
    }
  };
  const inflater: Transform = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      attempt(() => {
        for (let at = 0; at < chunk.length; at += sliceBytes) {
          const slice = chunk.subarray(at, at + sliceBytes);
          frames.follow(slice, checkWindow);
          decompress.push(slice);
        }
      }, done);
    },
    flush(done) {
      attempt(() => decompress.push(new Uint8Array(0), true), done);
    },
  });
  return inflater;
}
