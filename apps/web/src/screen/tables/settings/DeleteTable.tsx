import { HadalError } from "@hadal/sdk";
import { type FormEvent, useState } from "react";
import { formatExact } from "../../../format/number.js";
import { Button } from "../../../ui/button/Button.js";
import { Strip } from "../../../ui/page/Strip.js";
import styles from "../base/tables.module.css";

export interface DeleteTableProps {
  readonly name: string;
  /** Left out: they may not be known. */
  readonly rows: number | undefined;
  readonly onDelete: () => Promise<void>;
}

/** Deletes a table. The rows cannot be restored, so the name must be typed. */
export function DeleteTable({ name, rows, onDelete }: DeleteTableProps) {
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const remove = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await onDelete();
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setProblem(error.message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className={styles.delete} onSubmit={(event) => void remove(event)}>
      <p className={styles.hint}>
        This deletes all {rows === undefined ? "" : `${formatExact(rows)} `}rows and the settings on
        every leaf. It cannot be undone. Type <code>{name}</code> to confirm.
      </p>
      <input
        className={styles.input}
        aria-label="Name of the table to delete"
        data-testid="delete-name"
        value={typed}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button
        type="submit"
        className={styles.danger ?? ""}
        data-testid="delete-table"
        disabled={typed !== name || busy}
      >
        Delete {rows === 0 ? "the table" : "all rows"}
      </Button>
      {problem !== null && <Strip tone="bad">{problem}</Strip>}
    </form>
  );
}
