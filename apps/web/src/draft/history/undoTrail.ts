import type { ExploreState } from "../../query/state/exploreState.js";
import { printUrl } from "../url/url.js";
import type { TextStore } from "./history.js";

/** The entries of the browser's history that are queries; entries of other screens lie between them. */
export interface UndoTrail {
  /** A query was pushed as a new entry: later entries are removed. */
  pushed(index: number, state: ExploreState): void;
  /** This entry is shown: by Back or Forward, by a link from another screen, or by a replacement. */
  shown(index: number, state: ExploreState | null): void;
  /** Distance to the previous query, below 0; null: there is none. */
  undoSteps(): number | null;
  redoSteps(): number | null;
}

interface Step {
  readonly index: number;
  /** The query string of the address. */
  readonly question: string;
}

const storageKey = "hadal.steps";
/** More undo steps are not kept; at 500 bytes each they are a hundredth of a browser's storage. */
const stepsMax = 100;

/** The trail of a page that shows this entry. Kept in the tab, because its history survives a reload. */
export function createUndoTrail(
  storage: TextStore,
  index: number,
  state: ExploreState | null,
): UndoTrail {
  let at = index;
  let steps = readSteps(storage);
  // A new tab starts with a copy of another tab's storage, which does not match its history.
  if (state !== null && questionAt(index) !== questionOf(state)) steps = [];

  function questionAt(place: number): string | undefined {
    return steps.find((step) => step.index === place)?.question;
  }
  function shown(place: number, shownState: ExploreState | null): void {
    if (shownState === null) return;
    const question = questionOf(shownState);
    if (questionAt(place) !== question) {
      // A new entry. Entries between it and the last query belong to other screens.
      const before = steps.filter((step) => step.index < place && step.index <= at);
      steps = [...before, { index: place, question }].slice(-stepsMax);
      storage.setItem(storageKey, JSON.stringify(steps));
    }
    at = place;
  }
  shown(index, state);
  // The same query twice in a row, as by a link back to it, is one step.
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

/** Saving a query is no step. */
const questionOf = (state: ExploreState): string => printUrl({ ...state, saved: null });

/** Browser storage may contain anything: an invalid list of steps counts as none. */
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
