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

/** Registers commands while the component is rendered. The list must be stable (useMemo). */
export function useCommands(commands: readonly Command[]): void {
  const book = useCommandBook();
  useEffect(() => book.add(commands), [book, commands]);
}
