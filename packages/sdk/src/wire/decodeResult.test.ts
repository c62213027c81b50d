import { expect, test } from "vitest";
import { resultOf } from "../client/testPeer.js";
import { decodeResult } from "./decodeResult.js";

test("only text in columns of integers becomes BigInt; the rest stays as it came", () => {
  const result = {
    ...resultOf(0),
    columns: [
      { name: "id", type: "int", role: "group" },
      { name: "name", type: "string", role: "group" },
      { name: "price", type: "decimal", role: "aggregate", decimals: 2 },
    ] as const,
    rows: [
      ["9223372036854775807", "12", "90071992547409.93"],
      [5, "x", 1.5],
      [null, null, null],
      ["-9223372036854775808", "", null],
    ],
  };
  expect(decodeResult(result).rows).toEqual([
    [9_223_372_036_854_775_807n, "12", "90071992547409.93"],
    [5, "x", 1.5],
    [null, null, null],
    [-9_223_372_036_854_775_808n, "", null],
  ]);
  expect(result.rows[0]?.[0]).toBe("9223372036854775807");
});

test("a result without large integers is handed on as it is", () => {
  const result = resultOf(5);
  expect(decodeResult(result)).toBe(result);
});
