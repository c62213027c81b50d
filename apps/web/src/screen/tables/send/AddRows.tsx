import { Tabs } from "@base-ui/react/tabs";
import type { Session } from "../../../session/session.js";
import styles from "../base/tables.module.css";
import { ImportFile } from "../import/ImportFile.js";
import { SendRows } from "./SendRows.js";

export interface AddRowsProps {
  readonly session: Session;
  /** null: the first row creates a table. */
  readonly table: string | null;
  /** A file that was dropped on the page; null: none. */
  readonly dropped: File | null;
}

/** Two ways to add rows: a file, or a program. */
export function AddRows({ session, table, dropped }: AddRowsProps) {
  return (
    // A dropped file opens the tab of files.
    <Tabs.Root
      key={dropped === null ? "" : dropped.name}
      defaultValue="file"
      className={styles.tabs}
    >
      <Tabs.List className={styles.tabList} aria-label="How to add rows">
        <Tabs.Tab value="file" className={styles.tab}>
          Drop or paste
        </Tabs.Tab>
        <Tabs.Tab value="program" className={styles.tab} data-testid="send-rows">
          Send from a program
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="file">
        <ImportFile client={session.client} table={table} dropped={dropped} />
      </Tabs.Panel>
      <Tabs.Panel value="program">
        <SendRows session={session} table={table} />
      </Tabs.Panel>
    </Tabs.Root>
  );
}
