import { readFileSync, writeFileSync } from "node:fs";

/** As many lines as a person looks back. */
export const historyLinesMax = 1_000;

/** Lines of earlier prompts, newest first; none where there is no file yet. */
export function readHistory(path: string): string[] {
  try {
    const lines = readFileSync(path, "utf8").split("\n");
    return lines
      .filter((line) => line !== "")
      .toReversed()
      .slice(0, historyLinesMax);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Saves the lines, newest last, readable by their owner only: queries may contain private values. */
export function writeHistory(path: string, newestFirst: readonly string[]): void {
  const lines = newestFirst.slice(0, historyLinesMax).toReversed();
  writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o600 });
}
