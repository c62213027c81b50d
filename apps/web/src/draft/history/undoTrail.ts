import type { ExploreState } from "../../query/state/exploreState.js";
import { printUrl } from "../url/url.js";
import type { TextStore } from "./history.js";

/** Which entries of the browser's history are questions: other screens have theirs between them. */
export interface UndoTrail {
  /** A question was written into a new entry: what came after the one before is gone. */
  pushed(index: number, state: ExploreState): void;
  /** This entry is shown: by Back and Forward, by a link from another screen, or written over. */
  shown(index: number, state: ExploreState | null): void;
  /** How far back the question before is, below 0; null: there is none. */
  undoSteps(): number | null;
  redoSteps(): number | null;
}

interface Step {
  readonly index: number;
  /** As the address has it. */
  readonly question: string;
}

const storageKey = "hadal.steps";
/** Nobody undoes more; of 500 bytes each they are a hundredth of what a browser stores. */
const stepsMax = 100;

/** The trail of a page that shows this entry. Kept for the tab: its history outlives a reload. */
export function createUndoTrail(
  storage: TextStore,
  index: number,
  state: ExploreState | null,
): UndoTrail {
  let at = index;
  let steps = readSteps(storage);
  // The storage of another history, which a new tab begins with, says nothing about this one.
  if (state !== null && questionAt(index) !== printUrl(state)) steps = [];

  function questionAt(place: number): string | undefined {
    return steps.find((step) => step.index === place)?.question;
  }
  function shown(place: number, shownState: ExploreState | null): void {
    if (shownState === null) return;
    const question = printUrl(shownState);
    if (questionAt(place) !== question) {
      // A new entry. Those between it and the last question are of other screens.
      const before = steps.filter((step) => step.index < place && step.index <= at);
      steps = [...before, { index: place, question }].slice(-stepsMax);
      storage.setItem(storageKey, JSON.stringify(steps));
    }
    at = place;
  }
  shown(index, state);
  // The same question twice, as a link back to it makes, is one step.
  const isOther = ({ question }: Step): boolean => question !== questionAt(at);
  const stepsTo = (step: Step | undefined): number | null =>
    step === undefined ? null : step.index - at;

  return {
    pushed(place, pushedState) {
      steps = steps.filter((step) => step.index < place);
      shown(place, pushedState);
    },
    shown,
    undoSteps: () => stepsTo(steps.findLast((step) => step.index < at && isOther(step))),
    redoSteps: () => stepsTo(steps.find((step) => step.index > at && isOther(step))),
  };
}

/** Anybody may write into the browser's storage: what is no list of steps is none. */
function readSteps(storage: TextStore): readonly Step[] {
  try {
    const parsed: unknown = JSON.parse(storage.getItem(storageKey) ?? "[]");
    return Array.isArray(parsed) && parsed.every(isStep) ? parsed : [];
  } catch {
    return [];
  }
}

function isStep(value: unknown): value is Step {
  if (typeof value !== "object" || value === null) return false;
  const { index, question } = value as Partial<Record<keyof Step, unknown>>;
  return Number.isInteger(index) && typeof question === "string";
}
