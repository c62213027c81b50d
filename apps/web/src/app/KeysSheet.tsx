import { useStore } from "zustand";
import { type Command, printKey } from "../command/command.js";
import { inGroups } from "../command/searchCommands.js";
import { useCommandBook } from "../command/useCommands.js";
import { Sheet } from "../ui/popup/Sheet.js";
import styles from "./KeysSheet.module.css";
import { keyboard } from "./platform.js";

export interface KeysSheetProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** The keys of all current commands. */
export function KeysSheet({ open, onOpenChange }: KeysSheetProps) {
  const commands = useStore(useCommandBook());
  const keyed = commands.filter((command) => keysOf(command).length > 0);
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="Keys" width={760} testId="keys-sheet">
      <div className={styles.groups}>
        {inGroups(keyed).map(({ group, commands: list }) => (
          <section key={group} className={styles.group}>
            <h3 className={styles.name}>{group}</h3>
            <dl className={styles.list}>
              {list.map((command) => (
                <div key={command.id} className={styles.pair}>
                  <dt>
                    {keysOf(command).map((text) => (
                      <kbd key={text}>{text}</kbd>
                    ))}
                  </dt>
                  <dd>{command.label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Sheet>
  );
}

function keysOf({ keyText, keys = [] }: Command): readonly string[] {
  return keyText === undefined ? keys.map((key) => printKey(key, keyboard)) : [keyText];
}
