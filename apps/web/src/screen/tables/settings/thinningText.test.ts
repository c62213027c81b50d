import { expect, test } from "vitest";
import { nextStep, readThinning, thinnedText, writtenStep } from "./thinningText.js";

test("written thinning is read back, and the next step keeps a tenth", () => {
  const steps = [
    { afterMs: 86_400_000, keepOneIn: 10 },
    { afterMs: 604_800_000, keepOneIn: 100 },
  ];
  expect(readThinning(steps.map(writtenStep))).toEqual({ ok: true, thinning: steps });
  expect(thinnedText(steps)).toBe("1 in 10 after 1 day, 1 in 100 after 7 days");
  expect(nextStep([])).toEqual({ age: { text: "1", unit: "days" }, keepOneIn: "10" });
  expect(nextStep(steps.map(writtenStep)).keepOneIn).toBe("1000");
  for (const keepOneIn of ["", "1", "x", "2.5"]) {
    const age = { text: "1", unit: "days" };
    expect(readThinning([{ age, keepOneIn }])).toMatchObject({ ok: false });
  }
});
