import { useStore } from "zustand";
import { Strip } from "../../../ui/page/Strip.js";
import { useBoard } from "./boardContext.js";
import { Conflict } from "./Conflict.js";

export interface ProblemsProps {
  readonly faults: readonly string[];
  /** Why no one can change the board here; null: people can. */
  readonly notice: string | null;
}

/** What is wrong with the address, the board, or its last save. */
export function Problems({ faults, notice }: ProblemsProps) {
  const { store } = useBoard();
  const { problem } = useStore(store);
  return (
    <>
      {faults.length > 0 && (
        <Strip tone="warn" testId="url-faults">
          Parts of the address cannot be read and are ignored: {faults.join("; ")}
        </Strip>
      )}
      {notice !== null && (
        <Strip tone="warn" testId="why-read-only">
          {notice}
        </Strip>
      )}
      {problem?.code === "version-conflict" && <Conflict problem={problem} />}
      {problem !== null && problem.code !== "version-conflict" && (
        <Strip tone="bad" testId="save-problem">
          Not saved: {problem.message}
        </Strip>
      )}
    </>
  );
}
