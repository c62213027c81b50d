import { Command as Palette } from "cmdk";
import { type ReactNode, useState } from "react";
import { useStore } from "zustand";
import { type Command, printKey } from "../command/command.js";
import { searchCommands } from "../command/searchCommands.js";
import { useCommandBook } from "../command/useCommands.js";
import { Sheet } from "../ui/popup/Sheet.js";
import styles from "./CommandPalette.module.css";
import { keyboard } from "./platform.js";

export interface CommandPaletteProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** Rendered after the list: hands over from the stand-in. */
  readonly children?: ReactNode;
}

/** All commands, by name. */
export function CommandPalette({ open, onOpenChange, children }: CommandPaletteProps) {
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title="Commands"
      titleHidden
      width={600}
      testId="palette"
    >
      <CommandList onDone={() => onOpenChange(false)} />
      {children}
    </Sheet>
  );
}

function CommandList({ onDone }: { readonly onDone: () => void }) {
  const commands = useStore(useCommandBook());
  const [text, setText] = useState("");
  const choose = (command: Command): void => {
    onDone();
    // The closing palette restores the focus first, then the command may move it.
    setTimeout(() => command.run?.());
  };
  return (
    <Palette label="Commands" shouldFilter={false} loop className={styles.palette}>
      <Palette.Input
        autoFocus
        value={text}
        onValueChange={setText}
        placeholder="Go to, filter, group by, open…"
        className={styles.input}
      />
      <Palette.List className={styles.list} label="Commands">
        <Palette.Empty className={styles.empty}>
          No command matches “{text.trim()}”. Try a screen, a table, a column or a view.
        </Palette.Empty>
        {searchCommands(commands, text).map((section) => (
          <Palette.Group key={section.group} heading={section.group} className={styles.group}>
            {section.commands.map((command) => (
              <Palette.Item
                key={command.id}
                value={command.id}
                className={styles.item}
                onSelect={() => choose(command)}
              >
                <span className={styles.label} title={command.label}>
                  {command.label}
                </span>
                {command.keys?.[0] !== undefined && (
                  <kbd>{printKey(command.keys[0], keyboard)}</kbd>
                )}
              </Palette.Item>
            ))}
          </Palette.Group>
        ))}
      </Palette.List>
    </Palette>
  );
}
