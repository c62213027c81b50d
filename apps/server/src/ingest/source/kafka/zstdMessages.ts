import { compressionsAlgorithms } from "@platformatic/kafka";
import { decompress } from "fzstd";

/** Node.js 20 reads no zstd: the client gets a reader that does. */
export function readZstdMessages(): void {
  const { zstd } = compressionsAlgorithms;
  if (zstd.available) return;
  Object.assign(zstd, {
    decompressSync: (bytes: Buffer): Buffer => Buffer.from(decompress(new Uint8Array(bytes))),
  });
}
