import { useCallback } from "react";
import { useStore } from "zustand";
import { type ComparedVersion, VersionsSheet } from "../../../panel/saved/VersionsSheet.js";
import { boardOfBody } from "../model/boardStore.js";
import { BoardDifferences } from "./BoardDifferences.js";
import { useBoard } from "./boardContext.js";

/** All versions of the board and what each changed; an older one is restored by saving it again. */
export function BoardVersions({ onClose }: { readonly onClose: () => void }) {
  const { session, store, whyReadOnly } = useBoard();
  const { document } = useStore(store);
  const differences = useCallback(
    (before: ComparedVersion, after: ComparedVersion) => (
      <BoardDifferences before={sideOf(before)} after={sideOf(after)} />
    ),
    [],
  );
  return (
    <VersionsSheet
      {...{ session, document, whyReadOnly, onClose, differences }}
      onRestored={(restored) => {
        store.open(restored);
        onClose();
      }}
    />
  );
}

const sideOf = (version: ComparedVersion) => ({ ...version, board: boardOfBody(version.body) });
