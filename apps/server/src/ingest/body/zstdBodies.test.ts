import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { bodyBytesMax, readBody } from "./bodyStream.js";

/** 200 rows of NDJSON as `zstd -19` made them. */
const packed =
  "KLUv/QRoFAkAVlc0FaAbOqGkOoms/8IvpUwyJZnNiwKNFTUAKgArAHVsjXTF+ckSB+ZUWR56yBbSzrdzvaeh01cPCXiUAWEkSIA0FoSCgAyI4UBQkEAZEEMC0SCOtXE8pc3F//VmJavUl6eeuTOtaWrG1pTSb8ymUI3vU9PwPHbnN1PiDMuUNXWz30Sf8c96fk7lyfLb0W9kLpqejEQ39UpkQ1ckqkLnlpmqfHWTkXv2A7xzOf+MZtYyz61MNmWbGjs2p9EVa69KWQ2rSq8fle3iteopH6tQKbvT7QGAtaghIL3979CdAxGcEACGH7+/AQ+hlKJRSlHSrCkabRUtqZqkTj6bMlo8tbiRllRNUiefTVmzrFDSVQ2SDWFyPufZWbzd+3uNrhAgVQFNCwBW2y4JwOuEsrLJVccFKQAsACwAFceMJ14scXwMcb/++fN7+fiHL1wwTHjgwQLDwwV47VWgzm7alUsnopQhMtcx81kK81R3qfYQbW6h2UPbJdlTsaVvwq4rh5RcI5mkzBr5J4ssL4PcOAMNHY+WEZoNepu+QMvK1+IwxIt8OJxivEr4JnjEvAV8dh6p+WlmcSZnrm0OnVcv9bE/HdaXvui9c+gTrSlVd1SPrK+pZfVCalrUQdcB9VI6WPSUaBFSgLaoECDtA4AXlSQPETxb+NFiJCc9ZLYdq3f0+TrQTduWd8kc3koP8vjQesPzh08fLn/ULdxMHTd6/Kjxoefm1APN1HFjS/zhIQ3WXDY9+rD7fIdPoqQmVSxpN5KWGmkbkaZGSP2/09zJc0uzzL5cUU+JVwpASEhOEMEoOwnQQ2xFwAyCDySGmnByQ6YNCzb4q0GehjIarlsktWiXVQukpLSebEO9yQ1+XoUDe/r5QQ==";
const rows = Array.from(
  { length: 200 },
  (_, i) => `{"time":${i},"page":"/cart","ms":${(i * i) % 97}}\n`,
).join("");

const blockBytesMax = 131_072;

/**
 * A frame of blocks that are stored as they are, or of one byte repeated: no compressor is needed
 * for these.
 */
function frame(blocks: readonly { readonly bytes: Uint8Array; readonly repeated?: number }[]) {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]);
  const parts = blocks.flatMap(({ bytes, repeated }, i) => {
    const isLast = i === blocks.length - 1 ? 1 : 0;
    const type = repeated === undefined ? 0 : 1;
    const header = Buffer.alloc(3);
    header.writeUIntLE(((repeated ?? bytes.length) << 3) | (type << 1) | isLast, 0, 3);
    return [header, bytes];
  });
  return Buffer.concat([head, ...parts]);
}

async function read(bytes: Uint8Array, pieceBytes = 50_000): Promise<Buffer> {
  const pieces = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    pieces.push(bytes.subarray(at, at + pieceBytes));
  }
  const inflated: Uint8Array[] = [];
  for await (const chunk of readBody(Readable.from(pieces), "zstd")) inflated.push(chunk);
  return Buffer.concat(inflated);
}

describe("bodies in Zstandard", () => {
  it.each([1, 7, 50_000])("are inflated from pieces of %i bytes", async (pieceBytes) => {
    expect(String(await read(Buffer.from(packed, "base64"), pieceBytes))).toBe(rows);
  });

  it("may be of several frames, and of blocks stored as they are", async () => {
    const stored = randomBytes(300_000);
    const blocks = [0, 1, 2].map((i) => ({
      bytes: stored.subarray(i * 100_000, (i + 1) * 100_000),
    }));
    expect((await read(frame(blocks))).equals(stored)).toBe(true);
    const two = Buffer.concat([frame(blocks), Buffer.from(packed, "base64")]);
    expect((await read(two)).equals(Buffer.concat([stored, Buffer.from(rows)]))).toBe(true);
  });

  it("that are bombs are refused before they burst", async () => {
    const block = { bytes: Buffer.alloc(1), repeated: blockBytesMax };
    const bomb = frame(new Array(20_000).fill(block));
    expect(bomb.length).toBeLessThan(100_000);
    const before = process.memoryUsage().rss;
    await expect(read(bomb)).rejects.toMatchObject({ code: "body-too-large" });
    // All of it would be 2.6 GB.
    expect(process.memoryUsage().rss - before).toBeLessThan(4 * bodyBytesMax);
  });

  it.each<[string, number[]]>([
    ["of two terabytes", [0x00, 0xff, 1, 0, 0]],
    ["of one gigabyte", [0x00, 0xa0, 1, 0, 0]],
    ["as large as a content of four gigabytes", [0xa0, 0xff, 0xff, 0xff, 0xff, 1, 0, 0]],
  ])("that ask for a window %s are refused, also in a later frame", async (_what, header) => {
    const greedy = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, ...header]);
    const skippable = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    const honest = Buffer.from(packed, "base64");
    for (const bytes of [greedy, Buffer.concat([honest, frame([{ bytes: honest }]), greedy])]) {
      for (const pieceBytes of [1, 50_000]) {
        await expect(read(bytes, pieceBytes)).rejects.toMatchObject({ code: "body-too-large" });
      }
    }
    expect(String(await read(Buffer.concat([skippable, honest])))).toBe(rows);
  });

  it.each<[string, Uint8Array]>([
    ["cut off", Buffer.from(packed, "base64").subarray(0, 300)],
    ["no Zstandard at all", Buffer.from("time,x\n1,2\n")],
    ["of a reserved kind of block", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, 7, 0, 0])],
  ])("that are %s are refused", async (_what, bytes) => {
    await expect(read(bytes)).rejects.toMatchObject({ code: "body-undecodable" });
  });
});
