import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { decodeSections, encodeSections } from "../../base/bytes/sections.js";
import { unwrapPayload, wrapPayload } from "./segmentFile.js";

const payload = encodeSections(1, { what: "head" }, [new Uint8Array(64).fill(7)]);

test("a payload is read again, and damage of a part is found by its own checksum", () => {
  const file = wrapPayload(payload);
  expect(unwrapPayload(file)).toEqual(payload);
  file[file.length - 1]! ^= 1;
  expect(unwrapPayload(file).at(-1)).toBe(6);
  expect(unwrapPayload(file.subarray(0, file.length - 8))).toHaveLength(payload.length - 8);
});

test("every bit before the parts is checked", () => {
  const headEnd = 48 + payload.length - 64;
  const padding =
    headEnd - (48 + 8 + JSON.stringify({ head: { what: "head" }, bytes: [64] }).length);
  for (let at = 0; at < headEnd - padding; at++) {
    // How long it was decides nothing: each part says that of its own.
    if (at >= 8 && at < 16) continue;
    const file = wrapPayload(payload);
    file[at]! ^= 1;
    expect(() => unwrapPayload(file), `byte ${at}`).toThrow();
  }
});

test("files of version 5 are read, whose checksum is one over all of the payload", () => {
  const file = wrapPayload(payload);
  new DataView(file.buffer).setUint32(4, 5, true);
  file.set(createHash("sha256").update(payload).digest(), 16);
  expect(decodeSections(1, unwrapPayload(file)).head).toEqual({ what: "head" });
  file[file.length - 1]! ^= 1;
  expect(() => unwrapPayload(file)).toThrow("checksum");
  expect(() => unwrapPayload(file.subarray(0, file.length - 8))).toThrow("bytes, expected");
});
