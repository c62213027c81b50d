import { HadalError } from "@hadal/sdk";
import { useState } from "react";
import { useStore } from "zustand";
import { Button } from "../../../ui/button/Button.js";
import { Strip } from "../../../ui/page/Strip.js";
import { Sheet } from "../../../ui/popup/Sheet.js";
import { boardOfBody } from "../model/boardStore.js";
import { BoardDifferences } from "./BoardDifferences.js";
import { useBoard } from "./boardContext.js";
import styles from "./differences.module.css";

/** Another save was faster: both boards are kept until the reader chooses. */
export function Conflict({ problem }: { readonly problem: HadalError }) {
  const { store } = useBoard();
  const { document, title, board } = useStore(store);
  const [isOpen, setOpen] = useState(true);
  const theirs = theirsOf(problem);
  const { fault, run, takeTheirs, saveCopy, saveOver } = useChoices();
  const words = `Version ${theirs?.version ?? ""} was saved while you worked on version ${document.version}`;
  return (
    <>
      <Strip tone="bad" testId="board-conflict">
        {words}: yours is not saved yet.{" "}
        <Button data-testid="compare-conflict" onClick={() => setOpen(true)}>
          Compare and choose
        </Button>
      </Strip>
      <Sheet open={isOpen} onOpenChange={setOpen} title={words} width={860} testId="conflict-sheet">
        <p className={styles.hint}>
          Nothing is lost: the other version stays among the versions of this dashboard.
        </p>
        {theirs !== null && (
          <BoardDifferences
            before={{ ...theirs, label: `Version ${theirs.version}`, note: "the newest" }}
            after={{ label: "Yours", note: `began from version ${document.version}`, title, board }}
          />
        )}
        {fault !== null && <Strip tone="bad">{fault}</Strip>}
        <div className={styles.actions}>
          <Button data-testid="take-theirs" onClick={() => run(takeTheirs)}>
            Show theirs, drop mine
          </Button>
          <Button data-testid="save-copy" onClick={() => run(saveCopy)}>
            Save mine as a copy
          </Button>
          <Button look="main" data-testid="save-over" onClick={() => run(saveOver)}>
            Save mine over it
          </Button>
        </div>
      </Sheet>
    </>
  );
}

/** null: the problem does not have it, as where a proxy answered. */
function theirsOf({ members: { current } }: HadalError) {
  if (typeof current !== "object" || current === null) return null;
  const { version, title, body } = current as Readonly<Record<string, unknown>>;
  if (typeof body !== "object" || body === null) return null;
  return { version: Number(version), title: String(title), board: boardOfBody({ ...body }) };
}

/** What can be done with both, and why the last attempt failed. */
function useChoices() {
  const { store, session, onVisit } = useBoard();
  const { documents } = session.client;
  const [fault, setFault] = useState<string | null>(null);
  const run = (work: () => Promise<void>): void => {
    setFault(null);
    work().catch((error: unknown) => {
      if (!(error instanceof HadalError)) throw error;
      setFault(error.message);
    });
  };
  const takeTheirs = async (): Promise<void> => {
    store.open(await documents.find(store.getState().document.id));
  };
  const saveCopy = async (): Promise<void> => {
    const { title, board } = store.getState();
    const draft = { kind: "dashboard" as const, title: `${title} (mine)`.slice(0, 200) };
    const copy = await documents.create({ ...draft, body: { ...board } });
    await takeTheirs();
    onVisit(`/dashboards/${copy.id}`);
  };
  return { fault, run, takeTheirs, saveCopy, saveOver: () => store.saveOver() };
}
