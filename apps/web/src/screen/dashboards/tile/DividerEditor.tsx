import { type DashboardTile, type DividerTile, dashboardTitleMax } from "@hadal/sdk";
import { type FormEvent, useState } from "react";
import { Button } from "../../../ui/button/Button.js";
import { Sheet } from "../../../ui/popup/Sheet.js";
import styles from "./editor.module.css";

export interface DividerEditorProps {
  readonly tile: DividerTile;
  readonly onDone: (tile: DashboardTile | null) => void;
}

/** The title of a line across the grid. */
export function DividerEditor({ tile, onDone }: DividerEditorProps) {
  const [title, setTitle] = useState(tile.title ?? "");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onDone({ ...tile, title });
  };
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onDone(null)}
      title="Divider"
      testId="divider-editor"
    >
      <form className={styles.actions} onSubmit={submit}>
        <input
          className={styles.title}
          aria-label="Title"
          maxLength={dashboardTitleMax}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
        <Button look="main" type="submit">
          Apply
        </Button>
      </form>
    </Sheet>
  );
}
