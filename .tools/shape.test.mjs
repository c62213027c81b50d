import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { measureShape } from "./lib/shape/measure.mjs";
import { printCounts, printShape } from "./lib/shape/print.mjs";

const lines = (count, text = "") => Array.from({ length: count }, () => `${text}\n`).join("");
const kinds = ["one", "two", "three", "four", "five", "six", "seven"];
const cases = kinds.map((kind) => `case "${kind}": return 1;`).join("\n");

const files = {
  "packages/sdk/src/lang/long.ts": `import "./wide.js";
export function sixtyOne() {\n${lines(59, "  call();")}}
export function sixty() {\n${lines(58, "  call();")}}
`,
  "packages/sdk/src/lang/wide.ts": `import type { A } from "../model/a.js";
import "./last.js";
export const five = (a, b, c, d, e) => a;
export class Four { constructor(private readonly a: A, b, c, d) {} private x = 1; #y = 2; }
class Kept { private constructor() {} }
interface Declared { five(a, b, c, d, e: boolean): void }
`,
  "packages/sdk/src/lang/last.ts":
    "export function loud(isLoud: boolean, depth = 1, deep = true) {}",
  "packages/sdk/src/lang/kinds.ts": `switch (node.kind) { ${cases} }
if (node.kind === "eight" && node.name === "nine") call();`,
  "packages/sdk/src/model/a.ts": `export type A = 1;\n${lines(399, "//")}`,
  "packages/sdk/src/lang/wide.test.ts": "const ten = (a, b, c, d, e, f, g, h, i, j) => a;",
  "packages/kernel-wasm/assembly/sum.ts": "export function sum(a, b, c, d, e) { return a; }",
  "packages/sdk/README.md": `# SDK\n\n${"a".repeat(401)}\n\n- ${"b".repeat(300)}\n- ${"b".repeat(300)}\n
\`\`\`\n${"c".repeat(500)}\n\`\`\`\n`,
  "README.md": lines(41, "x\n"),
  "ignored/bad.ts": "export const six = (a, b, c, d, e, f) => a;",
  ".gitignore": "ignored/\n",
  ...Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`apps/web/src/chart/${i}.ts`, ""])),
};

let root;
let shape;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "hadal-shape-"));
  execFileSync("git", ["init", "--quiet"], { cwd: root });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  shape = measureShape(root);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const names = (found) => found.map(({ name }) => name);

it("finds long functions and long parameter lists, tests and ignored files left out", () => {
  expect(names(shape.longFunctions)).toEqual(["sixtyOne"]);
  expect(names(shape.wideFunctions)).toEqual(["five"]);
});

it("counts the kernel's flat arguments apart", () => {
  expect(names(shape.wideFunctionsAllowed)).toEqual(["sum"]);
});

it("finds boolean parameters and `private`, not `#private` or private constructors", () => {
  expect(shape.booleanFunctions).toMatchObject([{ name: "loud", booleans: ["isLoud", "deep"] }]);
  expect(names(shape.privates)).toEqual(["a", "x"]);
});

it("finds folders that are too full, and the longest chain of imports within a folder", () => {
  expect(shape.folders[0]).toEqual({ path: "apps/web/src/chart", fileCount: 21 });
  expect(shape.levels[0]).toMatchObject({ path: "packages/sdk/src/lang", levels: 3 });
});

it("finds files that name many kinds, and files of exactly 400 lines", () => {
  const [{ path, kinds: named }] = shape.kinds;
  expect([path, named]).toEqual(["packages/sdk/src/lang/kinds.ts", [...kinds, "eight"]]);
  expect(shape.longFiles).toMatchObject([{ path: "packages/sdk/src/model/a.ts", lineCount: 400 }]);
});

it("finds long READMEs, long paragraphs outside code, and folders without a README", () => {
  expect(shape.longReadmes).toMatchObject([{ path: "README.md" }]);
  expect(shape.longParagraphs).toMatchObject([
    { path: "packages/sdk/README.md", longParagraphs: [{ line: 3, length: 401 }] },
  ]);
  expect(shape.missingReadmes).toEqual(["apps/web", "packages/kernel-wasm"]);
});

it("looks at some folders only, when they are named", () => {
  const { fileCount, wideFunctions } = measureShape(root, ["packages/sdk/src/model"]);
  expect([fileCount, wideFunctions]).toEqual([1, []]);
});

it("prints both, with the place of each", () => {
  expect(printShape(shape)).toContain("packages/sdk/src/lang/long.ts:2 sixtyOne");
  expect(printShape(shape)).toContain("long → wide → last");
  expect(printCounts(shape)).toMatch(/^ +1 {2}functions over 60 lines$/m);
});
