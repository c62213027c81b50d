import { readFileSync } from "node:fs";

export const nothing = { passed: 0, failed: 0, skipped: 0 };

export const add = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

/** One count for a check that only has an exit code. */
export const countOfCheck = (exitCode) =>
  exitCode === 0 ? { ...nothing, passed: 1 } : { ...nothing, failed: 1 };

/** Tests in a Vitest JSON report; a file that could not even load counts as one failure. */
export function countVitest(report) {
  const unloaded = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.every((t) => t.status !== "failed"),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Tests in a Playwright JSON report; errors outside of tests (a file that does not load) count as failures. */
export function countPlaywright(report) {
  return {
    passed: report.stats.expected + report.stats.flaky,
    failed: report.stats.unexpected + report.errors.length,
    skipped: report.stats.skipped,
  };
}

/**
 * What a test runner's report says, held against its exit code: no report, no tests, or a failing
 * exit without a failed test is one failure more.
 */
export function countReport(file, count, exitCode) {
  let counted;
  try {
    counted = count(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return { ...nothing, failed: 1 };
  }
  const silent = counted.failed === 0 && (exitCode !== 0 || counted.passed === 0);
  return silent ? add(counted, { ...nothing, failed: 1 }) : counted;
}

export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
