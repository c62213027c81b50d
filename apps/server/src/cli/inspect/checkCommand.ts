import { Command } from "commander";
import { exitCodes } from "../terminal/exitCode.js";
import { printLines } from "../terminal/printLines.js";
import type { Terminal } from "../terminal/terminal.js";

export function checkCommand(terminal: Terminal, exitWith: (code: number) => void): Command {
  return new Command("check")
    .description("look for damage in the data folder of a server that is not running")
    .argument("<data-dir>", "what serve was given as --data-dir")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nPrints a line for each file that is damaged, and what is lost by it. Changes nothing. Exit code 0: all is whole, 1: it is not.",
    )
    .action(async (dataDir: string, { json }: { json?: boolean }) => {
      // Loaded here only: asking a question must not wait for the modules of a server.
      const { checkFolder } = await import("../../role/checkFolder.js");
      const found = await checkFolder(dataDir);
      const { problems, files, rows, tables } = found;
      const lines = problems.map(({ path, what, lost }) => `${path}: ${what}; lost: ${lost}`);
      const verdict = problems.length === 0 ? "whole" : `${problems.length} problems`;
      const summary = `${files} files with ${rows} rows in the folders of ${tables} tables: ${verdict}`;
      await printLines(json ? [JSON.stringify(found)] : [...lines, summary], terminal);
      if (problems.length > 0) exitWith(exitCodes.failed);
    });
}
