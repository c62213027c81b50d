import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExactJson } from "./exactJson.js";
import { NumberText, readNumberText, scaleFraction } from "./numberText.js";
import { RowRejected } from "./rowRejected.js";

/** What JSON.parse would have made of it. */
function rounded(value: unknown): unknown {
  if (value instanceof NumberText) return Number(value.text);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rounded(inner)]));
}

describe("parseExactJson", () => {
  it("agrees with JSON.parse on any JSON, but for digits that a double loses", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5 }),
        fc.constantFrom(undefined, 1, "\t"),
        (value, space) => {
          const text = JSON.stringify(value, null, space);
          expect(rounded(parseExactJson(text))).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it("takes and refuses the same texts as JSON.parse", () => {
    const text = fc.string({
      unit: fc.constantFrom(...'{}[]",:0123456789.eE+-\\/truefalsn \n\tu0aé'),
      maxLength: 12,
    });
    const near = fc
      .tuple(fc.jsonValue({ maxDepth: 2 }), fc.nat(), fc.constantFrom(...'{}[]",:0-.e\\ \nx', ""))
      .map(([value, at, inserted]) => {
        const json = JSON.stringify(value);
        const place = at % (json.length + 1);
        return json.slice(0, place) + inserted + json.slice(place + 1);
      });
    fc.assert(
      fc.property(fc.oneof(text, near), (json) => {
        let expected: unknown;
        try {
          expected = JSON.parse(json);
        } catch {
          expect(() => parseExactJson(json)).toThrow(RowRejected);
          return;
        }
        expect(rounded(parseExactJson(json))).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['{"a":tru}', 6],
    ['{"a" 1}', 6],
    ['{"a":1', 7],
    ['{"a":"b', 8],
    ['{"a":"\\u12"}', 7],
    ["{a:1}", 2],
    ['{"a":1}x', 8],
    ["", 1],
    ["[1,]", 4],
  ])("names the column of the error in %s", (text, column) => {
    try {
      parseExactJson(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: "invalid-json", column });
    }
  });

  it("bounds nesting", () => {
    const nested = (depth: number) => `${"[".repeat(depth)}1${"]".repeat(depth)}`;
    expect(() => parseExactJson(nested(64))).not.toThrow();
    expect(() => parseExactJson(nested(65))).toThrow(/jsonDepthMax/);
  });
});

describe("readNumberText", () => {
  it("reads integers and decimals digit by digit", () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (value) => {
        expect(readNumberText(value.toString())).toEqual({ fraction: false, value });
        expect(readNumberText(`${value}.000`)).toEqual({ fraction: false, value });
        const digits = value.toString().replace("-", "").padStart(7, "0");
        const text = `${value < 0n ? "-" : ""}${digits.slice(0, -6)}.${digits.slice(-6)}`;
        expect(readNumberText(`${text}9`)).toEqual({ fraction: true, value });
        expect(readNumberText(`${text}9e-3`)).toEqual({ fraction: true, value: value / 1000n });
      }),
    );
  });

  it.each([
    "9223372036854775808",
    "-9223372036854775809",
    "1e19",
    "9".repeat(100_000),
    "1e999999999999",
  ])("finds %.30s too large", (text) => expect(readNumberText(text)).toBeNull());

  it("agrees with the fast way for doubles", () => {
    fc.assert(
      fc.property(fc.double({ min: -1e8, max: 1e8, noNaN: true }), fc.nat(9), (x, digits) => {
        const rounded = Number(x.toFixed(digits));
        const scaled = scaleFraction(rounded);
        const stored = readNumberText(String(rounded));
        if (scaled === null || stored === null) return;
        const whole = stored.fraction ? stored.value : stored.value * 1_000_000n;
        expect(BigInt(scaled)).toBe(whole);
      }),
      { numRuns: 1_000 },
    );
  });
});
