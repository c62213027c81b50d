import { createContext, useContext, useEffect } from "react";
import type { Command } from "./command.js";
import type { CommandBook } from "./commandBook.js";

const CommandContext = createContext<CommandBook | null>(null);

export const CommandProvider = CommandContext.Provider;

export function useCommandBook(): CommandBook {
  const book = useContext(CommandContext);
  if (book === null) throw new Error("commands need a CommandProvider");
  return book;
}

/** These commands can be given while the component is shown. Give it a list that stays the same (useMemo). */
export function useCommands(commands: readonly Command[]): void {
  const book = useCommandBook();
  useEffect(() => book.add(commands), [book, commands]);
}
