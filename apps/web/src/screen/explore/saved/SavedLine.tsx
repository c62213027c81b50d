import { Bookmark, History, X } from "lucide-react";
import { agoInWords } from "../../../format/ago.js";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { formatInstant } from "../../../format/time.js";
import { Button } from "../../../ui/button/Button.js";
import styles from "./saved.module.css";
import type { Shown } from "./useSavedDocument.js";

export interface SavedLineProps {
  readonly shown: Shown;
  /** The state is not what was saved. */
  readonly differs: boolean;
  readonly maySave: boolean;
  /** What the last action did. */
  readonly note: string | null;
  readonly problem: string | null;
  readonly onSave: () => void;
  readonly onSaveAs: () => void;
  readonly onRevert: () => void;
  readonly onDifferences: () => void;
  readonly onVersions: () => void;
  readonly onAgain: () => void;
  readonly onDetach: () => void;
}

/** The saved query's title, whether the state differs from it, and what can be done about that. */
export function SavedLine(props: SavedLineProps) {
  const { shown, maySave, problem, onSaveAs, onAgain, onDetach } = props;
  if (shown.kind === "none" && problem === null) return null;
  return (
    <div
      className={styles.line}
      data-testid="saved-line"
      data-kind={shown.kind}
      data-print="no"
      aria-busy={shown.kind === "loading"}
    >
      <Bookmark size={14} aria-hidden="true" className={styles.mark} />
      {shown.kind === "loading" && <span className={styles.quiet}>Loading the saved query…</span>}
      {shown.kind === "gone" && (
        <>
          <span className={styles.text} role="status">
            The saved query of this link was deleted, or you may not see it. What it asks is still
            here.
          </span>
          {maySave && (
            <Button data-testid="save-as" onClick={onSaveAs}>
              Save as…
            </Button>
          )}
        </>
      )}
      {shown.kind === "failed" && (
        <>
          <span className={styles.bad} role="alert">
            The saved query cannot be loaded: {shown.reason}
          </span>
          <Button onClick={onAgain}>Try again</Button>
        </>
      )}
      {shown.kind === "ready" && <ReadyLine {...props} document={shown.document} />}
      {problem !== null && shown.kind !== "failed" && (
        <span className={styles.bad} role="alert" data-testid="save-problem">
          {problem}
        </span>
      )}
      {shown.kind !== "none" && (
        <Button
          look="quiet"
          className={styles.close ?? ""}
          data-testid="detach"
          aria-label="Continue without the saved query"
          title="Continue without the saved query"
          onClick={onDetach}
        >
          <X size={14} />
        </Button>
      )}
    </div>
  );
}

interface ReadyLineProps extends SavedLineProps {
  readonly document: Extract<Shown, { kind: "ready" }>["document"];
}

function ReadyLine(props: ReadyLineProps) {
  const { document, differs, note, onVersions } = props;
  const { title, version, changedBy, changedMs } = document;
  return (
    <>
      <strong className={styles.title} data-testid="saved-title" title={title}>
        {title}
      </strong>
      <Button
        look="quiet"
        data-testid="open-versions"
        title={`Versions. Saved ${formatInstant(changedMs, ownTimeZone())}`}
        onClick={onVersions}
      >
        <History size={13} aria-hidden="true" /> version {version}
        <span className={styles.wideOnly}>
          {changedBy !== null && ` · ${changedBy}`} · {agoInWords(changedMs)}
        </span>
      </Button>
      <span className={styles.quiet} role="status" data-testid="saved-note">
        {note}
      </span>
      <span className={styles.grow} />
      {differs && <DifferenceActions {...props} />}
    </>
  );
}

function DifferenceActions(props: SavedLineProps) {
  const { maySave, onSave, onSaveAs, onRevert, onDifferences } = props;
  return (
    <>
      <button
        type="button"
        className={styles.differs}
        data-testid="differs"
        title="Show what differs"
        onClick={onDifferences}
      >
        differs from saved
      </button>
      {maySave && (
        <>
          <Button look="main" data-testid="save-next" title="Save ( Ctrl S )" onClick={onSave}>
            Save
          </Button>
          <Button data-testid="save-as" title="Save as… ( Ctrl ⇧ S )" onClick={onSaveAs}>
            Save as…
          </Button>
        </>
      )}
      <Button data-testid="revert" title="Back to what was saved" onClick={onRevert}>
        Revert
      </Button>
    </>
  );
}
