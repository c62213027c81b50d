import type { Terminal } from "./terminal.js";

/** Lines per write: one write each would cost more than making them. */
const linesPerWrite = 1_000;

/** Prints as fast as the reader takes it; stops when the reader is gone. */
export async function printLines(lines: Iterable<string>, terminal: Terminal): Promise<void> {
  let waiting: string[] = [];
  for (const line of lines) {
    waiting.push(line);
    if (waiting.length < linesPerWrite) continue;
    if (!(await terminal.write(`${waiting.join("\n")}\n`))) return;
    waiting = [];
  }
  if (waiting.length > 0) await terminal.write(`${waiting.join("\n")}\n`);
}
