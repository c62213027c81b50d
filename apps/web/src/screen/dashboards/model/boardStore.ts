import { type Dashboard, type HadalClient, HadalError, type SavedDocument } from "@hadal/sdk";
import { isNewerDashboard } from "@hadal/sdk/checks";
import { createStore, type StoreApi } from "zustand/vanilla";
import { type BoardEdit, editBoard } from "./boardEdits.js";
import { type BoardStep, createBoardSteps } from "./boardSteps.js";

/** The board on the screen, and the version that it began from. */
export interface BoardSnapshot {
  readonly title: string;
  readonly board: Dashboard;
  readonly document: SavedDocument;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Differs from the saved version. */
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  /** Why the last save failed; null: it did not. */
  readonly problem: HadalError | null;
}

export interface BoardStore
  extends Pick<StoreApi<BoardSnapshot>, "getState" | "getInitialState" | "subscribe"> {
  edit(edit: BoardEdit): void;
  rename(title: string): void;
  undo(): void;
  redo(): void;
  /** Saves over the version that the board began from; another one is a problem `version-conflict`. */
  save(): Promise<void>;
  /** Saves over the newest version, whoever made it. */
  saveOver(): Promise<void>;
  /** Shows another version of the document, and forgets changes. */
  open(document: SavedDocument): void;
}

type Documents = Pick<HadalClient["documents"], "find" | "save">;

export function createBoardStore(documents: Documents, opened: SavedDocument): BoardStore {
  const steps = createBoardSteps(stepOf(opened));
  const store = createStore<BoardSnapshot>(() => ({
    ...steps.shown(),
    ...{ document: opened, isSaving: false, problem: null },
  }));
  const show = (more: Partial<BoardSnapshot> = {}): void =>
    store.setState({ ...steps.shown(), ...more });
  const push = (step: BoardStep): void => {
    if (steps.push(step)) show();
  };
  const save = async (version: number): Promise<void> => {
    const { document } = store.getState();
    const step = steps.now();
    store.setState({ isSaving: true, problem: null });
    try {
      const draft = { kind: "dashboard" as const, title: step.title, body: { ...step.board } };
      const next = await documents.save(document.id, draft, { version });
      steps.keepSaved(step);
      show({ document: next, isSaving: false });
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      store.setState({ isSaving: false, problem: error });
    }
  };
  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    edit: (edit) => push({ ...steps.now(), board: editBoard(steps.now().board, edit) }),
    rename: (title) => push({ ...steps.now(), title }),
    undo() {
      steps.undo();
      show();
    },
    redo() {
      steps.redo();
      show();
    },
    save: () => save(store.getState().document.version),
    async saveOver() {
      const { version } = await documents.find(store.getState().document.id);
      await save(version);
    },
    open(document) {
      steps.restart(stepOf(document));
      show({ document, problem: null });
    },
  };
}

const stepOf = ({ title, body }: SavedDocument): BoardStep => ({ title, board: boardOfBody(body) });

/** Of a newer version, only what looks like sections with tiles; the server has checked the others. */
export function boardOfBody(body: SavedDocument["body"]): Dashboard {
  if (!isNewerDashboard(body)) return body as Dashboard;
  const sections = listOf(body.sections).map((section) => ({
    ...section,
    tiles: listOf(section.tiles).filter(({ id }) => typeof id === "string"),
  }));
  return { version: Number(body.version), sections } as unknown as Dashboard;
}

const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "object" && one !== null) : [];
