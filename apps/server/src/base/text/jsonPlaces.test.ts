import fc from "fast-check";
import { expect, test } from "vitest";
import { faultPlace, valuePlace } from "./jsonPlaces.js";

test("every value has its place, and a missing one that of its object", () => {
  const text = '{\n  "a": [1, {"b": "x"}],\n  "c": null,\n  "c": 2\n}';
  const placeOf = (path: string) => valuePlace(text, path);
  expect(placeOf("")).toEqual({ line: 1, column: 1 });
  expect(placeOf("a[1].b")).toEqual({ line: 2, column: 18 });
  expect(placeOf("a[1].missing.deep")).toEqual({ line: 2, column: 12 });
  expect(placeOf("c")).toEqual({ line: 4, column: 8 });
  expect(placeOf("missing")).toEqual({ line: 1, column: 1 });
});

test.each([
  ["", 1],
  ['{"a":1', 7],
  ['{"a":1,}', 8],
  ['{"a":1}x', 8],
  ["{a:1}", 2],
  ['["a\nb"]', 4],
  ["[01]", 2],
  ["[1,]", 4],
  ["tru", 1],
])("%j is no JSON from place %i on", (text, column) => {
  expect(faultPlace(text)).toEqual({ line: 1, column });
});

test("a line end within a text counts as one", () => {
  expect(faultPlace('["a\nb", ]')).toEqual({ line: 2, column: 5 });
});

test("any text is JSON, or has a place in it from which it is none", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom(...'{}[],:"\\ 0x\n'), (json, where, mark) => {
      const at = where % (json.length + 1);
      const text = json.slice(0, at) + mark + json.slice(at + 1);
      expect(faultPlace(json)).toBeNull();
      const fault = faultPlace(text);
      if (fault === null) JSON.parse(text);
      else {
        const line = text.split("\n")[fault.line - 1] ?? "";
        expect(fault.column).toBeGreaterThan(0);
        expect(fault.column).toBeLessThanOrEqual(line.length + 1);
      }
    }),
  );
});

test("a text that is nested too deeply for the parser has the place of its start", () => {
  const deep = "[".repeat(200_000);
  expect(faultPlace(deep)).toMatchObject({ line: 1 });
  expect(valuePlace(`${deep}${"]".repeat(200_000)}`, "[0][0]")).toMatchObject({ line: 1 });
});
