import type { Result } from "@hadal/sdk";
import { type KeyboardEvent, useMemo } from "react";
import { type PreviewNumbers, previewNumbers } from "../../../../chart/spec/previewNumbers.js";
import { type ViewSpec, viewGroups } from "../../../../chart/spec/viewSpec.js";
import type { ViewId } from "../../../../query/state/exploreState.js";
import styles from "./ViewPicker.module.css";
import { previewOf } from "./ViewPreview.js";

export interface ViewPickerProps {
  /** In the order of their keys. */
  readonly views: readonly ViewSpec[];
  readonly current: ViewId;
  /** On the screen; null: nothing yet. */
  readonly result: Result | null;
  readonly onPick: (view: ViewId) => void;
}

const noNumbers: PreviewNumbers = { line: [], groups: [] };

/** All views by the kind of question that they answer; arrows walk, Enter picks. */
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
  const { id: view, name, answers, Icon } = spec;
  return (
    <button
      type="button"
      className={styles.entry}
      data-testid={`view-${view}`}
      aria-pressed={isCurrent}
      // biome-ignore lint/a11y/noAutofocus: the list opened because somebody asked for it
      autoFocus={isCurrent}
      title={answers}
      onClick={() => onPick(view)}
    >
      <span className={styles.picture}>{previewOf(spec, numbers) ?? <Icon size={18} />}</span>
      <span className={styles.name}>{name}</span>
      {numberKey !== null && <kbd>{numberKey}</kbd>}
    </button>
  );
}

const steps: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** To the nearest entry in the direction of the arrow. */
function walk(event: KeyboardEvent<HTMLDivElement>): void {
  const step = steps[event.key];
  const from = document.activeElement?.getBoundingClientRect();
  if (step === undefined || from === undefined) return;
  event.preventDefault();
  let nearest: HTMLElement | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const button of event.currentTarget.querySelectorAll("button")) {
    const to = button.getBoundingClientRect();
    const along = step[0] * (to.left - from.left) + step[1] * (to.top - from.top);
    const across = step[0] === 0 ? to.left - from.left : to.top - from.top;
    const far = along + 4 * Math.abs(across);
    if (along > 1 && far < least) [nearest, least] = [button, far];
  }
  nearest?.focus();
}
