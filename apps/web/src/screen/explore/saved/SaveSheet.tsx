import { documentTitleMax } from "@hadal/sdk";
import { type FormEvent, useState } from "react";
import { Button } from "../../../ui/button/Button.js";
import { Strip } from "../../../ui/page/Strip.js";
import { Sheet } from "../../../ui/popup/Sheet.js";
import styles from "./saved.module.css";

export interface SaveSheetProps {
  readonly suggested: string;
  readonly problem: string | null;
  readonly onSave: (title: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Names the query and saves it. */
export function SaveSheet({ suggested, problem, onSave, onClose }: SaveSheetProps) {
  const [title, setTitle] = useState(suggested.slice(0, documentTitleMax));
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    await onSave(title.trim()).finally(() => setBusy(false));
  };
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title="Save the query"
      testId="save-sheet"
    >
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <label className={styles.labelled}>
          Title
          <input
            // biome-ignore lint/a11y/noAutofocus: the user has just opened the dialog
            autoFocus
            className={styles.input}
            data-testid="save-title"
            value={title}
            maxLength={documentTitleMax}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setTitle(event.target.value)}
          />
        </label>
        <p className={styles.hint}>
          The time range, the view and the comparison are saved, too. Relative times stay relative.
        </p>
        {problem !== null && <Strip tone="bad">{problem}</Strip>}
        <div className={styles.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="main"
            type="submit"
            data-testid="save-submit"
            disabled={busy || title.trim() === ""}
          >
            Save
          </Button>
        </div>
      </form>
    </Sheet>
  );
}
