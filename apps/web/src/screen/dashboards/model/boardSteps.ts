import type { Dashboard } from "@hadal/sdk";

/** A title and a board: what an edit changes, and what is undone. */
export interface BoardStep {
  readonly title: string;
  readonly board: Dashboard;
}

/** The steps as the screen shows them. */
interface ShownSteps extends BoardStep {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Differs from the saved step. */
  readonly isChanged: boolean;
}

export interface BoardSteps {
  now(): BoardStep;
  shown(): ShownSteps;
  /** Returns whether the step is kept: one that changes nothing is not. */
  push(step: BoardStep): boolean;
  undo(): void;
  redo(): void;
  keepSaved(step: BoardStep): void;
  /** Begins again at a saved step, and forgets the others. */
  restart(step: BoardStep): void;
}

/** Steps that can be undone: a working day of edits. */
const stepsMax = 200;

/** The edits of a board, from a step that is saved. */
export function createBoardSteps(first: BoardStep): BoardSteps {
  let past: readonly BoardStep[] = [];
  let now = first;
  let future: readonly BoardStep[] = [];
  let saved = first;
  return {
    now: () => now,
    shown: () => ({
      ...now,
      canUndo: past.length > 0,
      canRedo: future.length > 0,
      isChanged: now !== saved,
    }),
    push(step) {
      if (step.board === now.board && step.title === now.title) return false;
      past = [...past, now].slice(-stepsMax);
      now = step;
      future = [];
      return true;
    },
    undo() {
      const last = past.at(-1);
      if (last === undefined) return;
      [past, future, now] = [past.slice(0, -1), [now, ...future], last];
    },
    redo() {
      const [next, ...rest] = future;
      if (next === undefined) return;
      [past, future, now] = [[...past, now], rest, next];
    },
    keepSaved(step) {
      saved = step;
    },
    restart(step) {
      [past, future, now, saved] = [[], [], step, step];
    },
  };
}
