import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";
import { figureName } from "./figures.js";

/** Collects the recorded figures, prints them as a table, and writes them as JSON if requested. */
export default class WebReport implements Reporter {
  readonly #figures = new Map<string, number>();

  onTestEnd(_test: TestCase, result: TestResult): void {
    for (const { type, description } of result.annotations) {
      const name = figureName(type);
      if (name !== null) this.#figures.set(name, Number(description));
    }
  }

  onEnd(): void {
    const figures = Object.fromEntries(this.#figures);
    console.log();
    for (const [name, value] of this.#figures) console.log(`${name.padEnd(28)} ${value}`);
    const file = process.env.HADAL_BENCH_JSON;
    if (file === undefined) return;
    const machine = { cpu: cpus()[0]?.model ?? "", cores: cpus().length, node: process.version };
    const rows = Number(process.env.HADAL_BENCH_ROWS);
    writeFileSync(file, `${JSON.stringify({ machine, rows, ...figures }, null, 2)}\n`);
  }
}
