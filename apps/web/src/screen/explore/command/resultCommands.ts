import type { Command } from "../../../command/command.js";
import { walkRows } from "../keyTargets.js";
import type { CommandContext } from "./commandContext.js";

/** Commands for the table of the result. */
export function resultCommands(now: () => CommandContext): Command[] {
  return [
    {
      id: "walk",
      group: "Result",
      label: "Next or previous row",
      keyText: "j  k",
      keys: ["j", "k"],
      hidden: true,
      run: (event) => walkRows(event?.key === "k" ? -1 : 1),
    },
    { id: "cells", group: "Result", label: "Move between cells of a table", keyText: "Arrows" },
    { id: "cell", group: "Result", label: "Open the menu of the focused cell", keyText: "⏎" },
    {
      id: "all rows",
      group: "Result",
      label: "Remove all filters",
      run: () => now().dispatch({ kind: "keep steps", count: 0 }),
    },
  ];
}
