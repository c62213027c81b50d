import { HadalError, type ResultValue } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileFunction } from "../src/function/compile/compileFunction.js";
import { readRowFunction } from "../src/function/compile/functionSource.js";
import { parseFunction } from "../src/function/compile/functionSyntax.js";
import { randomInt } from "../src/function/testing/randomExpression.js";
import { randomFunction } from "../src/function/testing/randomFunction.js";
import { createTableSchema, findColumn } from "../src/plan/schema/tableSchema.js";
import { oracleSeed } from "./oracle/seed/seed.js";
import { createSeededRandom } from "./oracle/seed/seededRandom.js";
import { askAll, sendLines } from "./support/allTime.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

/** Small whole numbers are computed as integers, the others as doubles; small ones are there in every row. */
const tables = ["small", "wild"] as const;
const rowCount = 600;
const roundCount = 5;
/** As many as one query can have in the sandbox. */
const functionsPerRound = 4;
/** Of these the groups are asked for, one query each: that is what runs the emitted code. */
const groupedPerRound = 3;

const { int: randomBetween } = createSeededRandom(oracleSeed());
const random = { below: (end: number) => randomBetween(0, end - 1) };

/** A line as text: integers of 64 bits do not go through a double. */
function randomLine(table: (typeof tables)[number], row: number): string {
  const isSmall = table === "small";
  const integer = (): string => String(isSmall ? random.below(41) - 20 : randomInt(random));
  const thousandths = random.below(isSmall ? 4_001 : 2 ** 31) - 2_000;
  const cells = [
    ["n", integer()],
    ["m", integer()],
    ["price", (thousandths / 1_000).toFixed(3)],
    ["s", JSON.stringify(["", "a", "b", "slow"][random.below(4)])],
  ].filter(() => isSmall || random.below(5) > 0);
  const columns = [["time", String(row * 1_000)], ...cells];
  return `{${columns.map(([name, text]) => `"${name}":${text}`).join()}}`;
}

/** The same function with a statement that has no code: it runs in the sandbox, called for every row or in a loop over them. */
function forSandbox(source: string): string {
  const [, body] = /^\(row\) => (.*)$/s.exec(source) ?? [];
  if (body === undefined) throw new Error(`no function of the row: ${source}`);
  const inner = body.startsWith("{\n") ? body.slice(1) : ` return ${body}; }`;
  const statement = random.below(2) === 0 ? "var unused = 0;" : "switch (0) {}";
  return `(row) => { ${statement}${inner}`;
}

/** Which of the two ways the server takes. */
function isCompiled(source: string): boolean {
  const schema = createTableSchema("t", [
    ...["n", "m"].map((name) => ({ name, type: "int", decimals: 0 }) as const),
    { name: "price", type: "int", decimals: 6 },
    { name: "s", type: "string", decimals: 0 },
  ]);
  const read = readRowFunction(source, "js", (name) => findColumn(schema, name, "js"));
  const columns = { find: (name: string) => schema.columns.get(name), values: null };
  return compileFunction(parseFunction(source, "js"), columns, read) !== null;
}

function randomSources(count: number): string[] {
  const sources: string[] = [];
  while (sources.length < count) {
    const kind = (["number", "number", "text", "truth"] as const)[random.below(4)]!;
    const source = randomFunction(random, kind);
    if (!isCompiled(source)) continue;
    expect(isCompiled(forSandbox(source)), source).toBe(false);
    sources.push(source);
  }
  return sources;
}

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ leaves: 1 });
  for (const table of tables) {
    const lines = Array.from({ length: rowCount }, (_, row) => randomLine(table, row));
    await sendLines(cluster, table, lines);
  }
}, 60_000);

afterAll(() => cluster?.stop());

const derived = (source: string, i: number) => [
  { as: `compiled${i}`, js: source },
  { as: `sandboxed${i}`, js: forSandbox(source) },
];

/** Those whose values all fit a column; of the others both ways say that they do not. */
async function fitting(table: string, sources: readonly string[]): Promise<string[]> {
  const fits: string[] = [];
  for (const [i, source] of sources.entries()) {
    const [compiled, sandboxed] = await Promise.all(
      derived(source, i).map((one) =>
        askAll(cluster, table, {
          derive: [one],
          aggregates: [{ fn: "count", column: one.as }],
        }).then(
          () => null,
          (error: unknown) => (error instanceof HadalError ? error.code : String(error)),
        ),
      ),
    );
    expect(compiled, `HADAL_TEST_SEED=${oracleSeed()} ${source}`).toEqual(sandboxed);
    if (compiled === null) fits.push(source);
    else expect(compiled).toBe("value-overflow");
  }
  return fits;
}

describe.each(tables)(
  "a function answers alike compiled and in the sandbox, %s values",
  (table) => {
    it.each(Array.from({ length: roundCount }, (_, round) => round))(
      "round %i",
      async () => {
        const sources = await fitting(table, randomSources(functionsPerRound));
        const derive = sources.flatMap(derived);
        const columns = ["n", "m", "price", "s", ...derive.map(({ as }) => as)];
        const sample = await askAll(cluster, table, {
          derive,
          sampleView: { columns },
          limit: rowCount,
        });
        expect(sample.rows).toHaveLength(rowCount);
        const places = new Map(sample.columns.map(({ name }, i) => [name, i]));
        const at = (row: readonly ResultValue[], name: string) => row[places.get(name)!] ?? null;
        sources.forEach((source, i) => {
          for (const row of sample.rows) {
            const given = ["n", "m", "price", "s"].map((name) => String(at(row, name))).join();
            const where = `HADAL_TEST_SEED=${oracleSeed()} ${source} of ${given}`;
            expect(at(row, `compiled${i}`), where).toEqual(at(row, `sandboxed${i}`));
          }
        });
        for (const [i, source] of sources.slice(0, groupedPerRound).entries()) {
          const pair = derived(source, i);
          const groupBy = pair.map(({ as }) => as);
          const { rows } = await askAll(cluster, table, { derive: pair, groupBy, limit: rowCount });
          expect(rows.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(rowCount);
          for (const [compiled, sandboxed] of rows) {
            expect(compiled, `HADAL_TEST_SEED=${oracleSeed()} ${source}`).toEqual(sandboxed);
          }
          const wanted = new Set(sample.rows.map((row) => at(row, `compiled${i}`)));
          expect(new Set(rows.map(([compiled]) => compiled ?? null)), source).toEqual(wanted);
        }
      },
      30_000,
    );
  },
);
