import { type HadalClient, HadalError } from "@hadal/sdk";
import { useEffect, useState } from "react";
import { type BoardStore, createBoardStore } from "../model/boardStore.js";

/** Boards that were opened on this page: Back shows them at once, with what was not saved yet. */
const opened = new Map<string, BoardStore>();

export interface OpeningBoard {
  readonly store: BoardStore | null;
  readonly problem: HadalError | null;
  readonly again: () => void;
}

/** The board of a document; read again each time it is opened, unless it has changes. */
export function useBoardStore({ documents }: HadalClient, id: string): OpeningBoard {
  const [store, setStore] = useState(() => opened.get(id) ?? null);
  const [problem, setProblem] = useState<HadalError | null>(null);
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` counts the attempts
  useEffect(() => {
    let isCurrent = true;
    documents.find(id).then(
      (document) => {
        if (!isCurrent) return;
        const known = opened.get(id);
        if (known === undefined) {
          const made = createBoardStore(documents, document);
          opened.set(id, made);
          setStore(made);
        } else {
          const { isChanged, document: shown } = known.getState();
          if (!isChanged && shown.version !== document.version) known.open(document);
        }
        setProblem(null);
      },
      (error: unknown) => {
        if (!(error instanceof HadalError)) throw error;
        if (isCurrent) setProblem(error);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [documents, id, asked]);
  return { store, problem, again: () => setAsked(asked + 1) };
}
