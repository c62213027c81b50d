import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { at } from "./lib/paths.mjs";

/**
 * A small copy of the repository's shape: one file per folder, packages resolved as in the real
 * one.
 */
const fixtureFiles = {
  "packages/sdk/src/index.ts": 'export { query } from "./model/query.js";',
  "packages/sdk/src/model/query.ts": "export const query = 1; export type Query = number;",
  "packages/sdk/src/model/check/checkQuery.ts":
    'export { query } from "../query.js"; export const checkQuery = 1;',
  "packages/sdk/src/wire/frames.ts": "export const frame = 1; export type Frame = number;",
  "packages/kernel-wasm/src/index.ts": "export const kernel = 1; export type Values = number;",
  "packages/kernel-wasm/assembly/abi.ts": "export const abi = 1;",
  "packages/kernel-wasm/assembly/base/bitset.ts": "export const bitset = 1;",
  "packages/kernel-wasm/assembly/group/codeGroup.ts": 'export * from "../base/bitset.js";',
  "packages/kernel-wasm/assembly/aggregate/count.ts":
    'export { abi } from "../abi.js"; export const count = 1;',
  "apps/server/src/base/clock.ts": "export const clock = 1; export type Clock = number;",
  "apps/server/src/plan/resolve.ts": "export const plan = 1; export type Plan = number;",
  "apps/server/src/scan/scanTable.ts": 'export * from "../plan/resolve.js";',
  "apps/server/src/scan/run/scanRun.ts": "export const run = 1;",
  "apps/server/src/scan/memory/scratch.ts": "export const scratch = 1;",
  "apps/server/src/column/column.ts": 'export type { Values } from "@hadal/kernel-wasm";',
  "apps/server/src/cluster/frame.ts": 'export type { Plan } from "../plan/resolve.js";',
  "apps/server/src/tree/expectedRows.ts": "export interface ExpectedRows { rows: number }",
  "apps/server/src/tree/ask.ts": "export const ask = 1;",
  "apps/server/src/ingest/ledger.ts":
    'import type { ExpectedRows } from "../tree/expectedRows.js"; export const rows: ExpectedRows = { rows: 1 };',
  "apps/server/src/role/gateway.ts": "export const gateway = 1;",
  "apps/server/src/demo/main.ts": 'import { query } from "@hadal/sdk"; export const demo = query;',
  "apps/web/src/format/number.ts": "export const number = 1;",
  "apps/web/src/chart/kit/paint/line.ts": 'export { number } from "../../../format/number.js";',
  "apps/web/src/chart/kit/cells/cell.ts": 'export { number } from "../paint/line.js";',
  "apps/web/src/chart/view/pie/build.ts": 'export { number } from "../../kit/paint/line.js";',
  "apps/web/src/screen/explore/page.ts": "export const page = 1;",
  "apps/web/src/screen/status/page.ts": "export const page = 1;",
  "e2e/journey.ts": 'import { query } from "@hadal/sdk"; export const journey = query;',
};

const importOf = (name, path) =>
  `export const planted = ${name}; import { ${name} } from "${path}";`;
const typeImportOf = (name, path) =>
  `import type { ${name} } from "${path}"; export type Planted = ${name};`;

/** [what, file that breaks the rule, its text, the rule that must catch it] */
const breaches = [
  [
    "an import against the layers",
    "apps/server/src/plan/bad.ts",
    importOf("planned", "../scan/bad.js"),
    "apps/server/src/plan",
    { "apps/server/src/scan/bad.ts": "export const planned = 1;" },
  ],
  [
    "a type import against the layers",
    "apps/server/src/base/bad.ts",
    typeImportOf("Plan", "../plan/resolve.js"),
    "apps/server/src/base",
  ],
  [
    "model importing wire",
    "packages/sdk/src/model/bad.ts",
    typeImportOf("Frame", "../wire/frames.js"),
    "packages/sdk/src/model",
  ],
  [
    "the SDK importing the kernel",
    "packages/sdk/src/model/bad.ts",
    typeImportOf("Values", "@hadal/kernel-wasm"),
    "sdk stands alone",
  ],
  [
    "the SDK importing from npm or Node",
    "packages/sdk/src/model/bad.ts",
    importOf("readFileSync", "node:fs"),
    "sdk stands alone",
  ],
  [
    "the kernel importing the SDK",
    "packages/kernel-wasm/src/bad.ts",
    typeImportOf("Query", "@hadal/sdk"),
    "kernel stands alone",
  ],
  [
    "the kernel's host past its ABI",
    "packages/kernel-wasm/src/bad.ts",
    importOf("bitset", "../assembly/base/bitset.js"),
    "through its ABI",
  ],
  [
    "plan running the kernel",
    "apps/server/src/plan/bad.ts",
    importOf("kernel", "@hadal/kernel-wasm"),
    "run the kernel",
  ],
  [
    "column running the kernel",
    "apps/server/src/column/bad.ts",
    importOf("kernel", "@hadal/kernel-wasm"),
    "types only",
  ],
  [
    "ingest importing more of tree than its question",
    "apps/server/src/ingest/bad.ts",
    importOf("ask", "../tree/ask.js"),
    "apps/server/src/ingest",
  ],
  [
    "a room of the server against the rooms",
    "apps/server/src/scan/memory/bad.ts",
    importOf("run", "../run/scanRun.js"),
    "rooms: apps/server/src/scan/memory",
  ],
  [
    "a room importing what stands beside the rooms",
    "apps/server/src/scan/run/bad.ts",
    importOf("planned", "../bad.js"),
    "rooms: apps/server/src/scan/run",
    { "apps/server/src/scan/bad.ts": "export const planned = 1;" },
  ],
  [
    "a room of the server that the table does not list",
    "apps/server/src/scan/helpers/bad.ts",
    importOf("scratch", "../memory/scratch.js"),
    "unknown room of apps/server/src/scan",
  ],
  [
    "the supervisor importing what it starts",
    "apps/server/src/role/single.ts",
    importOf("gateway", "./gateway.js"),
    "supervisor loads no server",
  ],
  [
    "the demo importing the server",
    "apps/server/src/demo/bad.ts",
    importOf("clock", "../base/clock.js"),
    "demo",
  ],
  [
    "the web app importing the server",
    "apps/web/src/format/bad.ts",
    importOf("clock", "../../../server/src/base/clock.js"),
    "web imports only the SDK",
  ],
  [
    "a chart importing a screen",
    "apps/web/src/chart/bad.ts",
    importOf("page", "../screen/explore/page.js"),
    "apps/web/src/chart",
  ],
  [
    "a room of the chart kit importing another against the table",
    "apps/web/src/chart/kit/paint/bad.ts",
    importOf("number", "../cells/cell.js"),
    "rooms: apps/web/src/chart/kit/paint",
  ],
  [
    "the panel importing a screen",
    "apps/web/src/panel/bad.ts",
    importOf("page", "../screen/explore/page.js"),
    "apps/web/src/panel",
  ],
  [
    "the chart kit importing the query",
    "apps/web/src/chart/kit/paint/bad.ts",
    importOf("filter", "../../../query/filter/bad.js"),
    "chart kit does not import",
    { "apps/web/src/query/filter/bad.ts": "export const filter = 1;" },
  ],
  [
    "a view importing another",
    "apps/web/src/chart/view/map/bad.ts",
    importOf("number", "../pie/build.js"),
    "views do not import",
  ],
  [
    "a screen importing another",
    "apps/web/src/screen/status/bad.ts",
    importOf("page", "../explore/page.js"),
    "screens do not import",
  ],
  [
    "e2e importing the server",
    "e2e/bad.ts",
    importOf("clock", "../apps/server/src/base/clock.js"),
    "from outside",
  ],
  [
    "a deep import into the SDK",
    "apps/web/src/session/bad.ts",
    importOf("query", "../../../../packages/sdk/src/model/query.js"),
    "by their entry",
  ],
  [
    "a member importing its package's entry",
    "packages/sdk/src/wire/bad.ts",
    importOf("query", "../index.js"),
    "entry files",
  ],
  [
    "a folder that the table does not list",
    "apps/server/src/helpers/bad.ts",
    importOf("clock", "../base/clock.js"),
    "unknown folder",
  ],
  [
    "a cycle of types",
    "apps/server/src/base/bad.ts",
    'import type { B } from "./worse.js"; export type A = B;',
    "no cycles",
    {
      "apps/server/src/base/worse.ts": 'import type { A } from "./bad.js"; export type B = A | 1;',
    },
  ],
  [
    "the product importing what helps tests",
    "apps/server/src/base/bad.ts",
    importOf("helper", "./testing/bad.js"),
    "only tests import",
    { "apps/server/src/base/testing/bad.ts": "export const helper = 1;" },
  ],
  [
    "a room of the SDK importing one that it may not",
    "packages/sdk/src/model/builder/bad.ts",
    importOf("checkQuery", "../check/checkQuery.js"),
    "rooms: packages/sdk/src/model/builder",
  ],
  [
    "the files beside the rooms importing a room",
    "packages/sdk/src/model/bad.ts",
    importOf("checkQuery", "./check/checkQuery.js"),
    "rooms: packages/sdk/src/model/.",
  ],
  [
    "a room of the kernel importing one that it may not",
    "packages/kernel-wasm/assembly/group/bad.ts",
    importOf("count", "../aggregate/count.js"),
    "rooms: packages/kernel-wasm/assembly/group",
  ],
  [
    "a room of the kernel importing an entry",
    "packages/kernel-wasm/assembly/base/bad.ts",
    importOf("all", "../index.js"),
    "rooms: packages/kernel-wasm/assembly/base",
    { "packages/kernel-wasm/assembly/index.ts": "export const all = 1;" },
  ],
  [
    "a room that the table does not list",
    "packages/kernel-wasm/assembly/helpers/bad.ts",
    importOf("bitset", "../base/bitset.js"),
    "unknown room",
  ],
  [
    "an import that leads nowhere",
    "apps/server/src/base/bad.ts",
    importOf("gone", "./gone.js"),
    "everything resolves",
  ],
];

let fixture;

beforeAll(() => {
  fixture = mkdtempSync(join(tmpdir(), "hadal-imports-"));
  cpSync(at(".dependency-cruiser.cjs"), join(fixture, ".dependency-cruiser.cjs"));
  cpSync(at(".tools/lib/imports"), join(fixture, ".tools/lib/imports"), { recursive: true });
  for (const file of [
    "package.json",
    "packages/sdk/package.json",
    "packages/kernel-wasm/package.json",
  ]) {
    cpSync(at(file), join(fixture, file));
  }
  mkdirSync(join(fixture, "node_modules/@hadal"), { recursive: true });
  symlinkSync("../../packages/sdk", join(fixture, "node_modules/@hadal/sdk"));
  symlinkSync("../../packages/kernel-wasm", join(fixture, "node_modules/@hadal/kernel-wasm"));
  symlinkSync(at("node_modules/typescript"), join(fixture, "node_modules/typescript"));
  for (const [path, text] of Object.entries(fixtureFiles)) write(path, text);
});
afterAll(() => rmSync(fixture, { recursive: true, force: true }));

function write(path, text) {
  mkdirSync(dirname(join(fixture, path)), { recursive: true });
  writeFileSync(join(fixture, path), `${text}\n`);
}

/** All breaches are planted at once, each in files of its own: one cruise takes two seconds. */
const numbered = (text, index) => text.replaceAll(/\b(bad|worse)\b/g, `$1${index}`);

/** Names of the rules that are broken, each with its edge. */
function violations() {
  const cruise = at("node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
  const args = [cruise, "--config", ".dependency-cruiser.cjs", "--output-type", "json"];
  let report;
  try {
    report = execFileSync(process.execPath, [...args, "packages", "apps", "e2e"], { cwd: fixture });
  } catch (error) {
    report = error.stdout;
  }
  const { summary } = JSON.parse(report.toString());
  return summary.violations.map((found) => `${found.rule.name}: ${found.from} → ${found.to}`);
}

describe("import rules", () => {
  it("pass where nothing is broken", () => {
    expect(violations()).toEqual([]);
  });

  describe("catch", () => {
    let found;
    beforeAll(() => {
      for (const [index, [, path, text, , others = {}]] of breaches.entries()) {
        write(numbered(path, index), numbered(text, index));
        for (const [other, otherText] of Object.entries(others)) {
          write(numbered(other, index), numbered(otherText, index));
        }
      }
      found = violations();
    });

    it.each(breaches.map((breach, index) => [breach[0], index]))("%s", (_what, index) => {
      const [, path, , rule] = breaches[index];
      const here = found.filter((line) => line.includes(numbered(path, index)));
      expect(here.join("\n")).toContain(rule);
    });
  });
});
