import { Check, ChevronDown, Keyboard, Link2, Moon, Sun } from "lucide-react";
import { useState } from "react";
import { useStore } from "zustand";
import { formatCompact } from "../format/number.js";
import type { Session } from "../session/session.js";
import { Button } from "../ui/Button.js";
import { PickList } from "../ui/PickList.js";
import { Popup } from "../ui/Popup.js";
import styles from "./app.module.css";
import { theme, toggleTheme } from "./theme.js";

export interface HeaderProps {
  readonly session: Session;
  readonly tableName: string | null;
  readonly onTable: (name: string) => void;
  readonly onKeys: () => void;
}

export function Header({ session, tableName, onTable, onKeys }: HeaderProps) {
  const themeName = useStore(theme).name;
  return (
    <header className={styles.header}>
      <a href="/" className={styles.brand}>
        <img src="/favicon.svg" alt="" width={20} height={20} />
        Hadal
      </a>
      <TablePicker session={session} tableName={tableName} onTable={onTable} />
      <span className={styles.grow} />
      <ShareButton />
      <Button
        look="quiet"
        aria-label="Keys"
        title="Keys ( ? )"
        className={styles.wideOnly ?? ""}
        onClick={onKeys}
      >
        <Keyboard size={16} />
      </Button>
      <Button
        look="quiet"
        data-testid="theme"
        aria-label={themeName === "dark" ? "Light theme" : "Dark theme"}
        title={themeName === "dark" ? "Light theme" : "Dark theme"}
        onClick={toggleTheme}
      >
        {themeName === "dark" ? <Sun size={16} /> : <Moon size={16} />}
      </Button>
    </header>
  );
}

type TablePickerProps = Omit<HeaderProps, "onKeys">;

function TablePicker({ session, tableName, onTable }: TablePickerProps) {
  const { tables } = useStore(session);
  const [open, setOpen] = useState(false);
  return (
    <Popup
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        // Tables are born with their first row: the list is read anew whenever it is opened.
        if (next) void session.loadTables();
      }}
      label="Table"
      trigger={
        <Button className={styles.table ?? ""} data-testid="table-picker" title="Table">
          <span className={styles.clip}>{tableName ?? "table"}</span>
          <ChevronDown size={14} />
        </Button>
      }
    >
      <PickList
        label="Table"
        testId="table-list"
        placeholder="table…"
        empty={tables === null ? "The tables are being read…" : "No table has that in its name."}
        items={(tables ?? []).map((table) => ({
          key: table.name,
          label: table.name,
          note: `${formatCompact(table.rows)} rows`,
          picked: table.name === tableName,
        }))}
        onPick={(name) => {
          onTable(name);
          setOpen(false);
        }}
      />
    </Popup>
  );
}

/** The address is the whole state: copying it shares what is on the screen. */
function ShareButton() {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(location.href);
    setCopied(true);
  };
  return (
    <Button
      look="quiet"
      data-testid="share"
      title="Copy the address of exactly this"
      onClick={() => void copy()}
      onBlur={() => setCopied(false)}
      onMouseLeave={() => setCopied(false)}
    >
      {copied ? <Check size={16} /> : <Link2 size={16} />}
      <span className={styles.wideOnly}>{copied ? "copied" : "share"}</span>
    </Button>
  );
}
