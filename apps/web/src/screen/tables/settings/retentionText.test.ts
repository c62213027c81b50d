import { describe, expect, test } from "vitest";
import { ageUnits, byteUnits, readRetention, writtenBound } from "./retentionText.js";

describe("retention", () => {
  test.each([
    [
      { text: "7", unit: "days" },
      { text: "1.5", unit: "GiB" },
      { maxAgeMs: 604_800_000, maxBytes: 1_610_612_736 },
    ],
    [
      { text: "x", unit: null },
      { text: "", unit: null },
      { maxAgeMs: null, maxBytes: null },
    ],
    [
      { text: " 90 ", unit: "minutes" },
      { text: "1,5", unit: "MiB" },
      { maxAgeMs: 5_400_000, maxBytes: 1_572_864 },
    ],
  ])("%o and %o", (age, bytes, retention) =>
    expect(readRetention(age, bytes)).toEqual({ ok: true, retention }),
  );
  test.each(["", "seven", "-1", "0", "1e9"])("%j days are refused", (text) =>
    expect(readRetention({ text, unit: "days" }, { text: "", unit: null })).toMatchObject({
      ok: false,
    }),
  );
  test("a limit is shown in the largest unit that gives a whole number", () => {
    expect(writtenBound(604_800_000, ageUnits)).toEqual({ text: "7", unit: "days" });
    expect(writtenBound(5_400_000, ageUnits)).toEqual({ text: "90", unit: "minutes" });
    expect(writtenBound(2 ** 31, byteUnits)).toEqual({ text: "2", unit: "GiB" });
  });
});
