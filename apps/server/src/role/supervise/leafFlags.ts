import type { ServerSettings } from "../../base/limit/settings.js";

/** What the leaves of a machine are started with. */
export function leafFlags(settings: ServerSettings): readonly string[] {
  return [
    ...["--scan-threads", String(settings.scanThreads)],
    ...["--leaf-memory", String(settings.leafMemory)],
    ...["--memory-budget", String(settings.memoryBudget)],
    ...["--seal-after", String(settings.sealAfter)],
    ...["--raw-texts", String(settings.rawTexts)],
    ...(settings.warmRestart ? ["--warm-restart"] : []),
    ...["--sandbox", settings.sandbox],
    ...["--function-cpu-ms", String(settings.functionCpuMs)],
    ...["--function-memory-bytes", String(settings.functionMemoryBytes)],
    ...["--function-output-bytes", String(settings.functionOutputBytes)],
    ...["--function-stack-bytes", String(settings.functionStackBytes)],
  ];
}
