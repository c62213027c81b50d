import { afterAll, describe, expect, it } from "vitest";
import { functionLimitsDefault } from "../../base/limit/functionLimits.js";
import { StopController } from "../../base/schedule/stopController.js";
import { readRowFunction } from "../compile/functionSource.js";
import { columnFinder } from "../testing/columnFinder.js";
import { randomBody } from "../testing/randomBody.js";
import { createRandom } from "../testing/seededRandom.js";
import { SandboxHost } from "./sandboxHost.js";
import type { BatchColumn, ScalarProgram } from "./sandboxMessages.js";

/** The built one: the process runs what is shipped. */
const script = new URL("../../../dist/sandbox.js", import.meta.url);
const host = new SandboxHost({
  script,
  limits: functionLimitsDefault,
  isolation: "weak",
  warn: () => undefined,
});
const never = new StopController().signal;

afterAll(() => host.close());

const find = columnFinder([
  { name: "a", type: "int", decimals: 0 },
  { name: "b", type: "int", decimals: 0 },
  { name: "s", type: "string", decimals: 0 },
]);

/** More rows than a slice has; a missing value where the second column has them. */
const rowCount = 300;
const a: BatchColumn = {
  kind: "numbers",
  values: Int32Array.from({ length: rowCount }, (_, i) => (i * 7) % 23),
  complete: true,
};
const doubles: BatchColumn = {
  kind: "numbers",
  values: Float64Array.from({ length: rowCount }, (_, i) => (i % 5 === 0 ? Number.NaN : i / 4)),
  complete: false,
};
const s: BatchColumn = {
  kind: "codes",
  values: Uint32Array.from({ length: rowCount }, (_, i) => i % 4),
  added: JSON.stringify(["a", "bé", "cc"]),
  resets: false,
};
const shapes: readonly Readonly<Record<string, BatchColumn>>[] = [
  { a, b: a, s },
  { a, b: doubles, s },
];

function programOf(source: string): ScalarProgram & { readonly names: readonly string[] } {
  const read = readRowFunction(source, "js", find);
  return { ...read.how, kind: "scalar", names: read.inputs.map(({ name }) => name) };
}

/** What it gives for all rows, or what it fails with and where. */
async function outcomeOf(program: ScalarProgram, columns: Readonly<Record<string, BatchColumn>>) {
  const run = await host.open(program, never);
  try {
    const batch = {
      ...({ kind: "evaluate", rowCount } as const),
      columns: program.names.map((name) => columns[name]!),
    };
    if (program.result !== "string") return [...(await run.call(batch, "numbers")).values];
    const { codes, added } = await run.call(batch, "strings");
    const texts = [null, ...(JSON.parse(added) as string[])];
    return Array.from(codes, (code) => texts[code]);
  } catch (error) {
    const { message, errors } = error as { message: string; errors: unknown };
    return { message, errors };
  } finally {
    run.close();
  }
}

async function expectSame(source: string): Promise<unknown> {
  const program = programOf(source);
  expect(program.body, source).not.toBeNull();
  const outcomes = shapes.map(async (columns) => {
    const outcome = await outcomeOf(program, columns);
    expect(outcome, source).toEqual(await outcomeOf({ ...program, body: null }, columns));
    return outcome;
  });
  return (await Promise.all(outcomes))[1];
}

describe("a body in a loop gives what calls of the function give", () => {
  it.each([
    ["(row) => row.a", 7],
    ["(row) => (row.a, row.b)", 0.25],
    ["row =>row.b", 0.25],
    ["(row) => { return(row).a }", 7],
    ["(row) => { switch (row.a % 4) { case 0: return row.b; default: return 1; } }", 1],
    ["(row) => { if (row.a > 7) return; return row.b }", 0.25],
    ["(row) => { if (row.a > 7) return null; else return row.b }", 0.25],
    ["(row) => { let undefined = 5, NaN = 6; return row.b }", 0.25],
    ["(row) => { let x; if (row.a === 0) x = 1; return x }", Number.NaN],
    ["(row) => { l: { try { return 1 } finally { break l } } return row.a }", 7],
    ["(row) => { l: { try { return 1 } finally { break l } } }", Number.NaN],
    ["(row) => { try { return 1 } finally { return row.a } }", 7],
    ["(row) => { for (const c of [row.a, 2]) { if (c < 3) continue; return c } }", "7"],
    ["(row) => row.s + typeof row.b", "anumber"],
    ["(row) => { if (row.s) return row.s + row.a }", "a7"],
    ["function (row) // first\n{ return /* b */ row.a // last\n }", 7],
  ])("%s", async (source, second) => {
    const values = (await expectSame(source)) as unknown[];
    expect(values[1]).toEqual(second);
  });

  it("and fails at the same place", async () => {
    const source =
      '(row) => {\n  if (row.a > 3) return ("é" + row.b, row["s"].more).x.y; return 1;\n}';
    const failed = { errors: [{ line: 2, column: 53 }] };
    expect(await expectSame(source)).toMatchObject(failed);
  });

  it.each([
    "(row) => { var x; return row.a }",
    "(row) => [row.a].map((x) => x + 1)[0]",
    "(row) => { function f() {} return row.a }",
    "(row) => { class C {} return row.a }",
    "(row) => { const $v = 1; return row.a + $v }",
    "(row) => row.a + \\u0024i",
    "function (row) { return row.a + this }",
    "function (row) { return new.target ? row.a : 1 }",
    "({ a }) => a",
    "(row) => { row.a = 1; return row.a }",
    "(row) => { return row.a\n  .b + row\n.b }",
  ])("%s is called", (source) => {
    expect(programOf(source).body).toBeNull();
  });

  it.each(Array.from({ length: 8 }, (_, i) => i + 1))("random functions, seed %i", async (seed) => {
    const random = createRandom(seed);
    for (let round = 0; round < 3; round++) await expectSame(randomBody(random));
  });
});
