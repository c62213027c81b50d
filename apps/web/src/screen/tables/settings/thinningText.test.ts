import { expect, test } from "vitest";
import {
  nextStep,
  readThinning,
  thinnedText,
  type WrittenStep,
  writtenStep,
} from "./thinningText.js";

const dayMs = 86_400_000;

test("written thinning is read back, and the next step keeps a tenth", () => {
  const steps = [
    { afterMs: dayMs, keepOneIn: 10 },
    { afterMs: 7 * dayMs, keepOneIn: 100 },
  ];
  expect(readThinning(steps.map(writtenStep))).toEqual({ ok: true, thinning: steps });
  expect(thinnedText(steps)).toBe("1 in 10 after 1 day, 1 in 100 after 7 days");
  expect(nextStep([])).toMatchObject({ age: { text: "1", unit: "days" }, keepOneIn: "10" });
  expect(nextStep(steps.map(writtenStep)).keepOneIn).toBe("1000");
  for (const keepOneIn of ["", "1", "x", "2.5"])
    expect(readThinning([{ ...nextStep([]), keepOneIn }])).toMatchObject({ ok: false });
});

test("the columns of a step are read back, whatever their names", () => {
  const steps = [
    { afterMs: dayMs, keepOneIn: 10, key: "user_id" },
    { afterMs: 2 * dayMs, keepOneIn: 20, groups: ["service", 'a, "b"', "status"], keepAtLeast: 5 },
  ];
  const written = steps.map(writtenStep);
  expect(written.map(({ by, columns }) => [by, columns])).toEqual([
    ["key", "user_id"],
    ["groups", 'service, "a, ""b""", status'],
  ]);
  expect(readThinning(written)).toEqual({ ok: true, thinning: steps });
  expect(thinnedText(steps)).toBe(
    '1 in 10 by user_id after 1 day, 1 in 20 by service, a, "b", status after 2 days',
  );
  expect(nextStep(written)).toMatchObject({ by: "groups", keepOneIn: "200" });
});

test.each([
  [{ by: "key", columns: " " }, "Enter the column"],
  [{ by: "key", columns: "a, b" }, "One column"],
  [{ by: "groups", columns: "" }, "Enter the column"],
  [{ by: "groups", columns: "a", keepAtLeast: "0" }, "at least 1"],
] as const)("%j is refused", (part: Partial<WrittenStep>, reason) => {
  const read = readThinning([{ ...nextStep([]), ...part }]);
  expect(read).toEqual({ ok: false, reason: expect.stringContaining(reason) });
});
