import { Differences } from "../../../panel/saved/Differences.js";
import { Button } from "../../../ui/button/Button.js";
import { Sheet } from "../../../ui/popup/Sheet.js";
import styles from "./saved.module.css";
import type { Conflict } from "./useSaving.js";

export interface ConflictSheetProps {
  /** As it was when mine began. */
  readonly title: string;
  readonly conflict: Conflict;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
  readonly onNew: () => void;
  readonly onClose: () => void;
}

/** Another save was faster: both versions side by side, and the choice between them. */
export function ConflictSheet(props: ConflictSheetProps) {
  const { title, conflict, onMine, onTheirs, onNew, onClose } = props;
  const { theirs, mine, from } = conflict;
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Version ${theirs.version} of ${theirs.title} was saved before yours`}
      width={860}
      testId="conflict"
    >
      <p className={styles.hint}>
        You began from version {from}. Nothing is lost: the other version stays among the versions,
        and yours comes back with Undo.
      </p>
      <Differences
        before={{
          label: `Version ${theirs.version}`,
          note: "the newest",
          title: theirs.title,
          body: theirs.body,
        }}
        after={{ label: "Yours", note: `began from version ${from}`, title, body: mine }}
      />
      <div className={styles.actions}>
        <Button data-testid="conflict-new" onClick={onNew}>
          Save mine as a new query…
        </Button>
        <Button data-testid="conflict-theirs" onClick={onTheirs}>
          Show version {theirs.version}
        </Button>
        <Button look="main" data-testid="conflict-mine" onClick={onMine}>
          Save mine as version {theirs.version + 1}
        </Button>
      </div>
    </Sheet>
  );
}
