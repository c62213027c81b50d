import {
  type Dashboard,
  type DashboardTile,
  type DocumentSummary,
  HadalError,
  randomKey,
} from "@hadal/sdk";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { Strip } from "../../../ui/page/Strip.js";
import { PickList } from "../../../ui/popup/PickList.js";
import { Sheet } from "../../../ui/popup/Sheet.js";
import { useBoard } from "../board/boardContext.js";
import { editBoard, sectionsOf } from "../model/boardEdits.js";

export interface MoveSheetProps {
  readonly tile: DashboardTile;
  readonly onClose: () => void;
}

/** Chooses another section, or another board, for a tile. */
export function MoveSheet({ tile, onClose }: MoveSheetProps) {
  const { session, store, board } = useBoard();
  const { document } = useStore(store);
  const [boards, setBoards] = useState<readonly DocumentSummary[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const failed = (error: Error): void => setProblem(error.message);
    session.client.documents.list({ kind: "dashboard" }).then(setBoards, failed);
  }, [session]);
  const sections = sectionsOf(board).flatMap(({ title, tiles }, index) =>
    tiles.includes(tile)
      ? []
      : [{ key: `section ${index}`, label: title || `Section ${index + 1}`, note: "this board" }],
  );
  const others = (boards ?? [])
    .filter(({ id, file }) => id !== document.id && file === undefined)
    .map(({ id, title }) => ({ key: `board ${id}`, label: title, note: "board" }));
  const choose = async (key: string): Promise<void> => {
    const [kind, target = ""] = key.split(" ");
    if (kind === "section") {
      store.edit({ kind: "move tile", id: tile.id, section: Number(target) });
      onClose();
      return;
    }
    try {
      const found = await session.client.documents.find(target);
      const { x: _x, y: _y, ...unplaced } = tile;
      const moved = { ...unplaced, id: randomKey() } as DashboardTile;
      const body = editBoard(found.body as Dashboard, { kind: "add tile", tile: moved });
      const draft = { kind: "dashboard" as const, title: found.title, body: { ...body } };
      await session.client.documents.save(target, draft, { version: found.version });
      store.edit({ kind: "remove tile", id: tile.id });
      onClose();
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setProblem(error.message);
    }
  };
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title="Move the tile to"
      testId="move-tile"
    >
      {problem !== null && <Strip tone="bad">{problem}</Strip>}
      <PickList
        label="Section or board"
        placeholder="section or board…"
        testId="move-list"
        awaited={boards === null}
        empty={boards === null ? "Loading boards…" : "There is no other section or board."}
        items={[...sections, ...others]}
        onPick={(key) => void choose(key)}
      />
    </Sheet>
  );
}
