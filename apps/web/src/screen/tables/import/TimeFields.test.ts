import { expect, test } from "vitest";
import { timesInWords } from "./TimeFields.js";

test.each([
  [[{ form: "s", rows: 5 }], 0, "Times are numbers of seconds since 1970."],
  [[{ form: "local", rows: 1 }], 0, "Times are dates without a zone, read in Europe/Berlin."],
  [
    [
      { form: "ms", rows: 1_200 },
      { form: "text", rows: 1 },
    ],
    0,
    /^Times: 1.200 rows with numbers of milliseconds since 1970, 1 row with dates that name their zone\.$/,
  ],
  [[{ form: "local", rows: 3 }], 2, "2 rows in the hour that Europe/Berlin repeats"],
  [[], 0, ""],
] as const)("the sentence about how times were read: %j", (forms, repeated, words) => {
  expect(timesInWords({ forms, repeated }, "Europe/Berlin")).toMatch(words);
});
