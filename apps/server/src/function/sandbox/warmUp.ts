import { functionLimitRanges, functionLimitsDefault } from "../../base/limit/functionLimits.js";
import { createCpuClock } from "./cpuClock.js";
import { ProgramRun } from "./programRun.js";
import { startQuickJs } from "./quickJs.js";
import { Realm } from "./realm.js";

/**
 * Runs a built-in function, so that V8 compiles the engine for all threads now: the first call takes some ten milliseconds
 * of CPU time, which must not count for a user's function.
 */
export async function warmUp(quickJs: WebAssembly.Module): Promise<void> {
  const limits = { ...functionLimitsDefault, functionCpuMs: functionLimitRanges.functionCpuMs[1] };
  const realm = new Realm(await startQuickJs(quickJs), limits, createCpuClock(), () => undefined);
  const run = new ProgramRun(realm, {
    kind: "scalar",
    source: "(row) => { var texts = [row.n, row.s]; return texts.join('/').toUpperCase(); }",
    ...{ call: "row", body: null, names: ["n", "s"], result: "string" },
  });
  const rowCount = 2;
  const codes = { values: Uint32Array.of(1, 0), added: '["a"]', resets: false };
  run.answer({
    kind: "evaluate",
    rowCount,
    columns: [
      { kind: "numbers", values: Int32Array.of(1, 2), complete: true },
      { kind: "codes", ...codes },
    ],
  });
}
