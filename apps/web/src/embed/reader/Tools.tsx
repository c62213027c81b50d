import { CalendarClock, ExternalLink, type LucideIcon, Undo2 } from "lucide-react";
import { usesField } from "../../chart/view/views.js";
import type { Edit } from "../../draft/edit/edits.js";
import { usePanel } from "../../panel/panel.js";
import styles from "../style/embed.module.css";

export interface ToolsProps {
  /** null: the reader has not left what the host shows. */
  readonly onBack: (() => void) | null;
}

/** The few steps that belong to no mark. */
export function Tools({ onBack }: ToolsProps) {
  const { state, limits } = usePanel();
  const link = limits?.linkOf(state) ?? null;
  return (
    <>
      {onBack !== null && <Tool Icon={Undo2} words="Back" testId="embed-back" onClick={onBack} />}
      <CompareToggle />
      {link !== null && (
        <a
          className={styles.tool}
          href={link}
          target="_blank"
          rel="noopener noreferrer"
          aria-label="Open in Hadal"
          title="Open in Hadal"
          data-testid="embed-open"
        >
          <ExternalLink size={13} aria-hidden="true" />
        </a>
      )}
    </>
  );
}

/** Compares with a week earlier, or with nothing. */
function CompareToggle() {
  const { state, limits, dispatch } = usePanel();
  const isCompared = state.compare !== null;
  const compare = isCompared ? null : { offset: "7d", filter: null };
  const edit: Edit = { kind: "set compare", compare };
  if (!usesField(state.view, "compare") || limits?.allows(edit) === false) return null;
  return (
    <Tool
      Icon={CalendarClock}
      words={isCompared ? "End the comparison" : "Compare with last week"}
      testId="embed-compare"
      isPressed={isCompared}
      onClick={() => dispatch(edit)}
    />
  );
}

interface ToolProps {
  readonly Icon: LucideIcon;
  readonly words: string;
  readonly testId: string;
  readonly isPressed?: boolean;
  readonly onClick: () => void;
}

function Tool({ Icon, words, testId, isPressed, onClick }: ToolProps) {
  return (
    <button
      type="button"
      className={styles.tool}
      aria-pressed={isPressed}
      aria-label={words}
      title={words}
      data-testid={testId}
      onClick={onClick}
    >
      <Icon size={13} aria-hidden="true" />
    </button>
  );
}
