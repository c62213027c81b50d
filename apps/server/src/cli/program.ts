import { urlDefault } from "@hadal/sdk";
import { Command, CommanderError, Option } from "commander";
import { version } from "../base/process/version.js";
import { alertsCommand } from "./alerts/alertsCommand.js";
import { documentsCommand } from "./documents/documentsCommand.js";
import { followCommand } from "./follow/followCommand.js";
import { ingestCommand } from "./ingest/ingestCommand.js";
import { checkCommand } from "./inspect/checkCommand.js";
import { drainCommand } from "./inspect/drainCommand.js";
import { planCommand } from "./inspect/planCommand.js";
import { statusCommand } from "./inspect/statusCommand.js";
import { tablesCommand } from "./inspect/tablesCommand.js";
import { loginCommand } from "./people/loginCommand.js";
import { tokenCommand } from "./people/tokenCommand.js";
import { userCommand } from "./people/userCommand.js";
import { queryCommand } from "./query/queryCommand.js";
import { serveCommand } from "./serve/serveCommand.js";
import { printError } from "./terminal/errorLine.js";
import { exitCodes } from "./terminal/exitCode.js";
import { createTerminal, type Terminal } from "./terminal/terminal.js";

/** Runs one command line; its exit code. Everything that goes wrong is one line on stderr. */
export async function runProgram(
  words: readonly string[],
  terminal: Terminal = createTerminal(process),
): Promise<number> {
  let exitCode: number = exitCodes.fine;
  const program = createProgram(terminal, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(words, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCodes.fine : exitCodes.wrongUsage;
    }
    await terminal.writeError(`hadal: ${printError(error)}\n`);
    return exitCodes.failed;
  }
}

function createProgram(terminal: Terminal, exitWith: (code: number) => void): Command {
  const program = new Command("hadal")
    .description("Ask anything of live event data.")
    .version(`hadal ${version}`, "-V, --version", "print the version")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.write(text),
      writeErr: (text) => void terminal.writeError(text),
      outputError: (text, write) =>
        write(
          `hadal: ${text
            .replace(/^error: /, "")
            .trim()
            .replace(/\s*\n\s*/g, " ")}\n`,
        ),
    })
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 failed (one line on stderr says why), 2 wrong usage, 130 interrupted.",
    );
  program.addCommand(serveCommand(terminal));
  program.addCommand(checkCommand(terminal, exitWith));
  program.addCommand(userCommand(terminal));
  program.addCommand(tokenCommand(terminal));
  program.addCommand(loginCommand(terminal));
  for (const command of [
    queryCommand(terminal, exitWith),
    ingestCommand(terminal, exitWith),
    followCommand(terminal),
    tablesCommand(terminal),
    statusCommand(terminal),
    planCommand(terminal),
    drainCommand(terminal),
    documentsCommand(terminal, exitWith),
    alertsCommand(terminal, exitWith),
  ]) {
    program.addCommand(command.addOption(urlOption()));
  }
  // Subcommands do not inherit where to write and how to fail.
  for (const command of program.commands) {
    command.copyInheritedSettings(program);
    for (const sub of command.commands) sub.copyInheritedSettings(program);
  }
  return program;
}

function urlOption(): Option {
  return new Option("--url <url>", "the server to talk to").env("HADAL_URL").default(urlDefault);
}
