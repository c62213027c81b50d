import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { at } from "./paths.mjs";
import { StepError } from "./run.mjs";

/**
 * Makes the SQL parser from its grammar. It is TypeScript, so that types, tests and bundlers find
 * it like any other file. Without a cache it is twice as fast: the grammar reads nothing nested
 * twice, which a test sees to.
 */
export async function generateParser(grammarPath, parserPath) {
  // Not there before the packages are installed.
  const { default: peggy } = await import("peggy");
  const text = readFileSync(at(grammarPath), "utf8");
  try {
    const code = peggy.generate(text, {
      output: "source",
      format: "es",
      grammarSource: grammarPath,
    });
    mkdirSync(dirname(at(parserPath)), { recursive: true });
    writeFileSync(at(parserPath), `// @ts-nocheck made from ${grammarPath}\n${code}`);
  } catch (error) {
    if (typeof error.format !== "function") throw error;
    throw new StepError(error.format([{ source: grammarPath, text }]));
  }
}
