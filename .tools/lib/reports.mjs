import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { root } from "./paths.mjs";

/**
 * What came of a step: `failed` has one entry for each failure, its name and, in further lines, why:
 * who sees the last lines of a run alone can reproduce it.
 */
export const nothing = { passed: 0, failed: [], skipped: 0 };

export const add = (a, b) => ({
  passed: a.passed + b.passed,
  failed: [...a.failed, ...b.failed],
  skipped: a.skipped + b.skipped,
});

export const failure = (name) => ({ ...nothing, failed: [name] });

/** One count for a check that only has an exit code. */
export const countOfCheck = (name, exitCode) =>
  exitCode === 0 ? { ...nothing, passed: 1 } : failure(name);

/** Tests in a Vitest JSON report; a file that could not even load counts as one failure. */
export function countVitest(report) {
  return {
    passed: report.numPassedTests,
    failed: report.testResults.flatMap(failedOfFile),
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function failedOfFile({ name, status, assertionResults }) {
  const file = relative(root, name);
  const failed = assertionResults.filter((test) => test.status === "failed");
  if (status === "failed" && failed.length === 0) return [`${file} did not load`];
  return failed.map((test) => [`${file}: ${test.fullName}`, ...reasonOf(test)].join("\n"));
}

const reasonLinesMax = 12;
const reasonLineMax = 600;

/** The first lines of what a failed test threw. */
function reasonOf({ failureMessages = [] }) {
  const lines = failureMessages.join("\n").split("\n", reasonLinesMax);
  return lines.filter((line) => line !== "").map((line) => `  ${line.slice(0, reasonLineMax)}`);
}

/**
 * Tests in a Playwright JSON report; errors outside of tests (a file that does not load) count as
 * failures.
 */
export function countPlaywright(report) {
  return {
    passed: report.stats.expected + report.stats.flaky,
    failed: [
      ...report.suites.flatMap(failedOfSuite),
      ...report.errors.map((error) => error.message ?? "an error outside of the journeys"),
    ],
    skipped: report.stats.skipped,
  };
}

const failedOfSuite = ({ specs, suites = [] }) => [
  ...specs.filter((spec) => !spec.ok).map((spec) => `${spec.file}:${spec.line}: ${spec.title}`),
  ...suites.flatMap(failedOfSuite),
];

/**
 * What a test runner's report says, held against its exit code: no report, no tests, or a failing
 * exit without a failed test is one failure more.
 */
export function countReport(name, file, count, exitCode) {
  let counted;
  try {
    counted = count(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return failure(`${name}: no report`);
  }
  const silent = counted.failed.length === 0 && (exitCode !== 0 || counted.passed === 0);
  if (!silent) return counted;
  return add(counted, failure(`${name}: exit code ${exitCode}, ${counted.passed} passed`));
}

/** The last lines of a run: what failed, by name, why, and the count. */
export function summary({ passed, failed, skipped }) {
  const count = `${passed} passed, ${failed.length} failed`;
  const lines = failed.map((name) => `✗ ${name}`);
  return [...lines, skipped > 0 ? `${count}, ${skipped} skipped` : count].join("\n");
}
