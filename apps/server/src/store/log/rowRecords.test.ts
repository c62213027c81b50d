import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { encodeRecord, readRecords } from "./rowRecords.js";

const payloads = ["the first batch", "the second one", "and a third"].map((text) =>
  new TextEncoder().encode(text),
);
let records: readonly Buffer[];
let log: Buffer;
beforeAll(async () => {
  records = await Promise.all(payloads.map(encodeRecord));
  log = Buffer.concat(records);
});

const textsOf = (bytes: Buffer) =>
  readRecords(bytes).payloads.map((payload) => new TextDecoder().decode(payload));
const texts = payloads.map((payload) => new TextDecoder().decode(payload));

test("a wrong bit costs only its own record, and is reported as damage", () => {
  const starts = records.map((_, i) => Buffer.concat(records.slice(0, i)).length);
  for (let at = 0; at < log.length; at++) {
    for (const bit of [1, 128]) {
      const bytes = Buffer.from(log);
      bytes[at]! ^= bit;
      const hit = starts.findLastIndex((start) => start <= at);
      expect(textsOf(bytes), `byte ${at}`).toEqual(texts.filter((_, i) => i !== hit));
      expect(readRecords(bytes), `byte ${at}`).toMatchObject({
        ...{ damagedBytes: records[hit]!.length, tornBytes: 0 },
      });
    }
  }
});

describe("a log that ends within a record", () => {
  test("is torn, wherever it ends: no damage", () => {
    for (let length = 0; length <= log.length; length++) {
      let endBytes = 0;
      let whole = 0;
      for (const record of records) {
        if (endBytes + record.length > length) break;
        endBytes += record.length;
        whole++;
      }
      expect(readRecords(log.subarray(0, length))).toMatchObject({
        ...{ endBytes, damagedBytes: 0, tornBytes: length - endBytes },
      });
      expect(textsOf(log.subarray(0, length))).toEqual(texts.slice(0, whole));
    }
  });

  test("may end in zeros, as a loss of power leaves it", () => {
    expect(readRecords(Buffer.concat([log, Buffer.alloc(100)]))).toMatchObject({
      ...{ endBytes: log.length, damagedBytes: 0, tornBytes: 100 },
    });
  });

  test("is torn where the file had its length before its bytes", async () => {
    const long = await encodeRecord(new Uint8Array(randomBytes(400)));
    for (let kept = 0; kept <= long.length - 17; kept++) {
      const bytes = Buffer.concat([log, long.subarray(0, kept), Buffer.alloc(long.length - kept)]);
      expect(readRecords(bytes), `${kept} bytes`).toMatchObject({
        ...{ endBytes: log.length, damagedBytes: 0, tornBytes: long.length },
      });
    }
  });
});

test("bytes at the end that no record begins with are damage", () => {
  expect(
    readRecords(Buffer.concat([log, Buffer.from("no record at all, but long")])),
  ).toMatchObject({
    ...{ endBytes: log.length, damagedBytes: 26, tornBytes: 0 },
  });
});
