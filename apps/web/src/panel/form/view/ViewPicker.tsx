import type { Result } from "@hadal/sdk";
import { type KeyboardEvent, useMemo } from "react";
import { type PreviewNumbers, previewNumbers } from "../../../chart/spec/previewNumbers.js";
import { type ViewSpec, viewGroups } from "../../../chart/spec/viewSpec.js";
import { lookOf } from "../../../chart/view/viewLooks.js";
import type { ViewId } from "../../../query/state/exploreState.js";
import { arrowSteps, nearestInDirection } from "./nearestInDirection.js";
import styles from "./ViewPicker.module.css";
import { previewOf } from "./ViewPreview.js";

export interface ViewPickerProps {
  /** In the order of their keys. */
  readonly views: readonly ViewSpec[];
  readonly current: ViewId;
  /** The result on the screen; null: none yet. */
  readonly result: Result | null;
  readonly onPick: (view: ViewId) => void;
}

const noNumbers: PreviewNumbers = { line: [], groups: [] };

/** All views in groups; the arrow keys move, Enter picks. */
export function ViewPicker({ views, current, result, onPick }: ViewPickerProps) {
  const numbers = useMemo(() => (result === null ? noNumbers : previewNumbers(result)), [result]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it have the focus
    <div className={styles.picker} data-testid="view-list" onKeyDown={walk}>
      {viewGroups.map((group) => (
        <section key={group} aria-label={group}>
          <h3 className={styles.group}>{group}</h3>
          <div className={styles.entries}>
            {views.map((spec, i) =>
              spec.group === group ? (
                <Entry
                  key={spec.id}
                  spec={spec}
                  numberKey={i < 9 ? String(i + 1) : null}
                  isCurrent={spec.id === current}
                  numbers={numbers}
                  onPick={onPick}
                />
              ) : null,
            )}
          </div>
        </section>
      ))}
    </div>
  );
}

interface EntryProps {
  readonly spec: ViewSpec;
  readonly numberKey: string | null;
  readonly isCurrent: boolean;
  readonly numbers: PreviewNumbers;
  readonly onPick: (view: ViewId) => void;
}

function Entry({ spec, numberKey, isCurrent, numbers, onPick }: EntryProps) {
  const { id: view, name, answers } = spec;
  const { Icon, preview } = lookOf(view);
  return (
    <button
      type="button"
      className={styles.entry}
      data-testid={`view-${view}`}
      aria-pressed={isCurrent}
      // biome-ignore lint/a11y/noAutofocus: the list opens on request
      autoFocus={isCurrent}
      title={answers}
      onClick={() => onPick(view)}
    >
      <span className={styles.picture}>{previewOf(preview, numbers) ?? <Icon size={18} />}</span>
      <span className={styles.name}>{name}</span>
      {numberKey !== null && <kbd>{numberKey}</kbd>}
    </button>
  );
}

/** Moves the focus to the nearest entry in the direction of the arrow key. */
function walk(event: KeyboardEvent<HTMLDivElement>): void {
  const step = arrowSteps[event.key];
  const from = document.activeElement?.getBoundingClientRect();
  if (step === undefined || from === undefined) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const places = buttons.map((button) => button.getBoundingClientRect());
  const nearest = nearestInDirection(places, from, step);
  if (nearest !== null) buttons[nearest]?.focus();
}
