import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { useStore } from "zustand";
import { type Command, printKey } from "../command/command.js";
import { searchCommands } from "../command/searchCommands.js";
import { useCommandBook } from "../command/useCommands.js";
import { Sheet } from "../ui/Sheet.js";
import styles from "./CommandPalette.module.css";
import { isMac } from "./platform.js";

export interface CommandPaletteProps {
  readonly onClose: () => void;
}

/** Everything that can be done here, by name. */
export function CommandPalette({ onClose }: CommandPaletteProps) {
  return (
    <Sheet onClose={onClose} title="Commands" titleHidden width={600} testId="palette">
      <CommandSearch
        onChoose={(command) => {
          onClose();
          // What opens next wants the focus: the palette gives its own back first.
          setTimeout(() => command.run?.());
        }}
      />
    </Sheet>
  );
}

function CommandSearch({ onChoose }: { readonly onChoose: (command: Command) => void }) {
  const commands = useStore(useCommandBook());
  const [text, setText] = useState("");
  const [cursor, setCursor] = useState(0);
  const listId = useId();
  const sections = useMemo(() => searchCommands(commands, text), [commands, text]);
  const found = useMemo(() => sections.flatMap((section) => section.commands), [sections]);
  const at = Math.min(cursor, found.length - 1);
  const active = found[at];
  const optionId = (index: number): string => `${listId}-${index}`;
  const walk = (step: number): void => {
    const next = (at + step + found.length) % Math.max(1, found.length);
    setCursor(next);
    document.getElementById(optionId(next))?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") walk(1);
    else if (event.key === "ArrowUp") walk(-1);
    else if (event.key !== "Enter") return;
    else if (active !== undefined) onChoose(active);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.palette}>
      <input
        // biome-ignore lint/a11y/noAutofocus: the palette opened because somebody asked for it
        autoFocus
        role="combobox"
        aria-label="Commands"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={active === undefined ? undefined : optionId(at)}
        className={styles.input}
        placeholder="Go to, filter, group by, open…"
        value={text}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setText(event.target.value);
          setCursor(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={listId} aria-label="Commands" className={styles.list} tabIndex={-1}>
        {found.length === 0 && (
          <div className={styles.empty}>
            Nothing has “{text.trim()}” in its name. Try a screen, a table, a column or a view.
          </div>
        )}
        {sections.map(({ group, commands: list }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, which no element is
          <div key={group} role="group" aria-label={group}>
            <div className={styles.heading} aria-hidden="true">
              {group}
            </div>
            {list.map((command) => {
              const index = found.indexOf(command);
              return (
                <CommandOption
                  key={command.id}
                  id={optionId(index)}
                  command={command}
                  active={index === at}
                  onPoint={() => setCursor(index)}
                  onPick={() => onChoose(command)}
                />
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}

interface CommandOptionProps {
  readonly id: string;
  readonly command: Command;
  readonly active: boolean;
  readonly onPoint: () => void;
  readonly onPick: () => void;
}

function CommandOption({ id, command, active, onPoint, onPick }: CommandOptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input hears the keys (aria-activedescendant)
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      data-selected={active}
      className={styles.item}
      onMouseMove={onPoint}
      onClick={onPick}
    >
      <span className={styles.label} title={command.label}>
        {command.label}
      </span>
      {command.keys?.[0] !== undefined && <kbd>{printKey(command.keys[0], isMac)}</kbd>}
    </div>
  );
}
