import { expect, test } from "vitest";
import { readThresholds } from "./thresholds.js";

test.each([
  ["100", [100]],
  [" 0.5, 2 ,1e3", [0.5, 2, 1_000]],
  ["-5,0", [-5, 0]],
  ["", null],
  ["1,", null],
  ["5,1", null],
  ["1,1", null],
  ["<b>", null],
  ["Infinity", null],
  ["1,2,3,4,5,6,7", null],
])("bounds %j", (text, bounds) => expect(readThresholds(text)).toEqual(bounds));
