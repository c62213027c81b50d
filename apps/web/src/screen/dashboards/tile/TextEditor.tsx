import { type DashboardTile, dashboardTextMax, type TextTile } from "@hadal/sdk";
import { useState } from "react";
import { Button } from "../../../ui/button/Button.js";
import { Sheet } from "../../../ui/popup/Sheet.js";
import styles from "./editor.module.css";
import { TextTileView } from "./TextTileView.js";

export interface TextEditorProps {
  readonly tile: TextTile;
  readonly onDone: (tile: DashboardTile | null) => void;
}

/** Edits Markdown beside what it becomes. */
export function TextEditor({ tile, onDone }: TextEditorProps) {
  const [text, setText] = useState(tile.text);
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onDone(null)}
      title="Text"
      width={860}
      testId="text-editor"
    >
      <div className={styles.texts}>
        <textarea
          className={styles.area}
          aria-label="Markdown"
          data-testid="markdown"
          maxLength={dashboardTextMax}
          rows={14}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <TextTileView text={text} />
      </div>
      <div className={styles.actions}>
        <Button onClick={() => onDone(null)}>Cancel</Button>
        <Button look="main" data-testid="apply-text" onClick={() => onDone({ ...tile, text })}>
          Apply
        </Button>
      </div>
    </Sheet>
  );
}
