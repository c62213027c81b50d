import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { FileFault, type RowFile, rowFile } from "./rowFile.js";

describe("compressed files", () => {
  const text = Array.from({ length: 5_000 }, (_, i) => `{"time":${1795254000000 + i}}`).join("\n");
  const all = async (file: RowFile): Promise<string> => {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for await (const piece of file.open().pieces) parts.push(piece.slice());
    return new Blob(parts).text();
  };
  /** A frame of uncompressed blocks. */
  const zstdOf = (content: string): Uint8Array => {
    const bytes = new TextEncoder().encode(content);
    const size = new Uint8Array(Uint32Array.of(bytes.length).buffer);
    const blocks = [...Array(Math.ceil(bytes.length / 65_536)).keys()].flatMap((i) => {
      const block = bytes.subarray(i * 65_536, (i + 1) * 65_536);
      const isLast = (i + 1) * 65_536 >= bytes.length;
      const head = (block.length << 3) | (isLast ? 1 : 0);
      return [head & 255, (head >> 8) & 255, head >> 16, ...block];
    });
    return Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, ...size, ...blocks]);
  };
  const gzipped = gzipSync(text);
  const packed = { gzip: gzipped, zstd: zstdOf(text) };

  test.each(Object.entries(packed))(
    "%s is decompressed, detected by its bytes and not by its name",
    async (_, bytes) => {
      const file = await rowFile(new Blob([new Uint8Array(bytes)]), "rows");
      expect(file.isPacked).toBe(true);
      expect(await all(file)).toBe(text);
      const { bytes: start, isWhole } = await file.start(100);
      expect([new TextDecoder().decode(start), isWhole]).toEqual([text.slice(0, 100), false]);
    },
  );

  test.each([
    ["truncated gzip", gzipped.subarray(0, gzipped.length - 20), "is not valid gzip"],
    [
      "damaged gzip",
      gzipped.map((byte, i) => (i === 900 ? byte ^ 255 : byte)),
      "is not valid gzip",
    ],
    ["truncated zstd", packed.zstd.subarray(0, 70_000), "is not valid zstd: unexpected EOF"],
  ])("the error of %s names its place", async (_, bytes, words) => {
    const file = await rowFile(new Blob([new Uint8Array(bytes)]), "rows.bin");
    const error: unknown = await all(file).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FileFault);
    expect((error as Error).message).toContain("“rows.bin”, within its first");
    expect((error as Error).message).toContain(words);
  });
});

test("the end of a file is read; a long compressed file has none", async () => {
  const end = async (bytes: BlobPart, bytesMax: number) =>
    new TextDecoder().decode(await (await rowFile(new Blob([bytes]), "x")).end(bytesMax));
  expect(await end("abcdef", 2)).toBe("ef");
  expect(await end("abcdef", 10)).toBe("abcdef");
  expect(await end(new Uint8Array(gzipSync("abcdef")), 10)).toBe("abcdef");
  expect(await end(new Uint8Array(gzipSync("abcdef")), 2)).toBe("");
});
