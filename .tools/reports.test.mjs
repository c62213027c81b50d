import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { at } from "./lib/paths.mjs";
import {
  countOfCheck,
  countPlaywright,
  countReport,
  countVitest,
  summary,
} from "./lib/reports.mjs";

const folder = mkdtempSync(join(tmpdir(), "hadal-reports-"));
afterAll(() => rmSync(folder, { recursive: true }));

const reportFile = (name, report) => {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(report));
  return file;
};
const vitestReport = (passed, files) => ({
  numPassedTests: passed,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: files,
});

describe("the count behind `N passed, N failed`", () => {
  it("takes tests from Vitest and adds files that did not load", () => {
    const files = [
      { name: at("a.test.ts"), status: "failed", assertionResults: [] },
      {
        name: at("b.test.ts"),
        status: "failed",
        assertionResults: [
          { status: "passed", fullName: "adds" },
          { status: "failed", fullName: "divides", failureMessages: ["by\n0"] },
        ],
      },
      { name: at("c.test.ts"), status: "passed", assertionResults: [{ status: "passed" }] },
    ];
    expect(countVitest(vitestReport(5, files))).toEqual({
      passed: 5,
      failed: ["a.test.ts did not load", "b.test.ts: divides\n  by\n  0"],
      skipped: 2,
    });
  });

  it("takes tests and errors from Playwright", () => {
    const spec = (title, ok) => ({ title, ok, file: "a.journey.ts", line: 7 });
    const report = {
      stats: { expected: 3, flaky: 1, unexpected: 2, skipped: 1 },
      suites: [
        { specs: [spec("opens", true), spec("dives", false)] },
        { specs: [], suites: [{ specs: [spec("shares", false)] }] },
      ],
      errors: [{ message: "no such file" }],
    };
    expect(countPlaywright(report)).toEqual({
      passed: 4,
      failed: ["a.journey.ts:7: dives", "a.journey.ts:7: shares", "no such file"],
      skipped: 1,
    });
  });

  it("counts a missing report, an empty run and an unexplained exit code as a failure", () => {
    const failedOf = (file, exitCode) => countReport("tests", file, countVitest, exitCode).failed;
    expect(failedOf(join(folder, "missing.json"), 0)).toEqual(["tests: no report"]);
    const empty = reportFile("empty.json", vitestReport(0, []));
    expect(failedOf(empty, 0)).toEqual(["tests: exit code 0, 0 passed"]);
    const good = reportFile("good.json", vitestReport(7, []));
    expect(failedOf(good, 1)).toEqual(["tests: exit code 1, 7 passed"]);
    expect(countReport("tests", good, countVitest, 0)).toEqual({
      passed: 7,
      failed: [],
      skipped: 2,
    });
  });

  it("ends with what failed, by name, and names skipped tests only when there are some", () => {
    expect(summary({ passed: 3, failed: [], skipped: 0 })).toBe("3 passed, 0 failed");
    const lint = countOfCheck("lint", 1);
    expect(summary({ ...lint, passed: 3, skipped: 2 })).toBe(
      "✗ lint\n3 passed, 1 failed, 2 skipped",
    );
  });
});
