import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { countPlaywright, countReport, countVitest, summaryLine } from "./lib/reports.mjs";

const folder = mkdtempSync(join(tmpdir(), "hadal-reports-"));
afterAll(() => rmSync(folder, { recursive: true }));

const reportFile = (name, report) => {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(report));
  return file;
};
const vitestReport = (passed, failed, files) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: files,
});

describe("the count behind `N passed, N failed`", () => {
  it("takes tests from Vitest and adds files that did not load", () => {
    const files = [
      { status: "failed", assertionResults: [] },
      { status: "failed", assertionResults: [{ status: "failed" }] },
      { status: "passed", assertionResults: [{ status: "passed" }] },
    ];
    expect(countVitest(vitestReport(5, 1, files))).toEqual({ passed: 5, failed: 2, skipped: 2 });
  });

  it("takes tests and errors from Playwright", () => {
    const report = { stats: { expected: 3, flaky: 1, unexpected: 2, skipped: 1 }, errors: [{}] };
    expect(countPlaywright(report)).toEqual({ passed: 4, failed: 3, skipped: 1 });
  });

  it("counts a missing report, an empty run and an unexplained exit code as a failure", () => {
    expect(countReport(join(folder, "missing.json"), countVitest, 0).failed).toBe(1);
    const empty = reportFile("empty.json", vitestReport(0, 0, []));
    expect(countReport(empty, countVitest, 0).failed).toBe(1);
    const good = reportFile("good.json", vitestReport(7, 0, []));
    expect(countReport(good, countVitest, 1)).toEqual({ passed: 7, failed: 1, skipped: 2 });
    expect(countReport(good, countVitest, 0)).toEqual({ passed: 7, failed: 0, skipped: 2 });
  });

  it("names skipped tests only when there are some", () => {
    expect(summaryLine({ passed: 3, failed: 0, skipped: 0 })).toBe("3 passed, 0 failed");
    expect(summaryLine({ passed: 3, failed: 1, skipped: 2 })).toBe("3 passed, 1 failed, 2 skipped");
  });
});
