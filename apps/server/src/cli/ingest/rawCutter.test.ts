import { expect, test } from "vitest";
import { createLinePattern } from "../../base/format/raw/linePattern.js";
import { recordBytesMax } from "./bodyCutter.js";
import { RawCutter } from "./rawCutter.js";

function cutAll(pattern: string, text: string, pieceBytes: number) {
  const bytes = Buffer.from(text);
  const cutter = new RawCutter(createLinePattern({ pattern }));
  const bodies = [];
  for (let at = 0; at < bytes.length; at += pieceBytes)
    bodies.push(...cutter.push(bytes.subarray(at, at + pieceBytes)));
  bodies.push(...cutter.finish());
  return bodies;
}

/** Events of log4j with ever longer traces, some megabytes. */
const events = Array.from({ length: 4_000 }, (_, i) => {
  const trace = Array.from(
    { length: i % 23 },
    (_, k) => `\tat shop.Cart.take${k}(Cart.java:${i})\n\n`,
  );
  return `2026-11-21 09:00:00,000 ERROR shop.Cart - failed ${i}\n${trace.join("")}`;
});

test.each([1_000, 65_536, 3_000_000])(
  "an event is never cut (pieces of %d bytes)",
  (pieceBytes) => {
    const bodies = cutAll("log4j", events.join(""), pieceBytes);
    expect(Buffer.concat(bodies.map(({ bytes }) => bytes)).toString()).toBe(events.join(""));
    expect(bodies.length).toBeGreaterThan(1);
    let line = 1;
    for (const { bytes, fileLine, rows } of bodies) {
      expect(bytes.toString()).toMatch(/^2026/);
      expect(fileLine(1)).toBe(line);
      line += rows;
    }
  },
);

test("where every line is an event, every line end is a border", () => {
  const lines = "127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] x\n".repeat(60_000);
  const bodies = cutAll("combined", `${lines}last`, 65_536);
  expect(bodies.map(({ bytes }) => bytes.toString().endsWith("\n"))).toEqual([true, true, false]);
});

test("an event that is too long ends the file", () => {
  const text = `a\n${" b\n".repeat(recordBytesMax / 2)}`;
  expect(() => cutAll("plain", text, 65_536)).toThrow(/recordBytesMax/);
});
