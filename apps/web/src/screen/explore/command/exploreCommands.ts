import type { Command } from "../../../command/command.js";
import type { CommandContext } from "./commandContext.js";
import { queryCommands } from "./queryCommands.js";
import { resultCommands } from "./resultCommands.js";
import { timeCommands } from "./timeCommands.js";
import { viewCommands } from "./viewCommands.js";

/** The commands that do not depend on the table; each reads the current query when it runs. */
export function exploreCommands(now: () => CommandContext): Command[] {
  return [
    ...queryCommands(now),
    ...timeCommands(now),
    ...viewCommands(now),
    ...resultCommands(now),
  ];
}
