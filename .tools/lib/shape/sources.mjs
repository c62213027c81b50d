import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** Tests, what helps them, and benches are not counted. */
const notCounted = /\.test\.\w+$|\.d\.ts$|(^|\/)(testing|test|bench|e2e|generated)\//;

/**
 * The plain twins and the WASM: flat arguments and long functions are what makes them readable and
 * fast.
 */
const allowed = /^packages\/kernel-wasm\/(assembly|src\/(reference|operations))\//;

export const isAllowed = (path) => allowed.test(path);

/**
 * Paths of the files of a repository that git tracks or would track, below one of `folders`
 * (all of them when there are none). A file that is deleted but not yet committed is left out.
 */
export function listFiles(root, folders) {
  const list = (...options) =>
    execFileSync("git", ["ls-files", ...options, "--", ...folders], { cwd: root, encoding: "utf8" })
      .split("\n")
      .filter((path) => path !== "");
  const deleted = new Set(list("--deleted"));
  const present = list("--cached", "--others", "--exclude-standard");
  return [...new Set(present)].filter((path) => !deleted.has(path)).sort();
}

export const isSource = (path) => /\.(ts|tsx|mjs|cjs)$/.test(path) && !notCounted.test(path);

/** A source file: its path, its text, its number of lines, and its syntax tree. */
export function readSource(root, path) {
  const text = readFileSync(join(root, path), "utf8");
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  return { path, text, lineCount: text.trimEnd().split("\n").length, tree };
}
