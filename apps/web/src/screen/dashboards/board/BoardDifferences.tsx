import { useMemo } from "react";
import { type NamedSide, SideBySide } from "../../../panel/saved/SideBySide.js";
import {
  type BoardChange,
  boardDifferences,
  type ComparedBoard,
} from "../model/boardDifferences.js";
import styles from "./differences.module.css";

export type ComparedBoardSide = NamedSide & ComparedBoard;

export interface BoardDifferencesProps {
  readonly before: ComparedBoardSide;
  readonly after: ComparedBoardSide;
}

/** What differs between two forms of a dashboard, in words. */
export function BoardDifferences({ before, after }: BoardDifferencesProps) {
  const changes = useMemo(() => boardDifferences(before, after), [before, after]);
  if (changes.length === 0) {
    return (
      <p className={styles.same} data-testid="board-differences">
        Nothing differs between these two.
      </p>
    );
  }
  return (
    <ul className={styles.changes} data-testid="board-differences">
      {changes.map((change) => (
        <li key={change.key} data-testid="board-change" data-kind={change.kind}>
          <Sentence change={change} />
          {change.parts.length > 0 && (
            <SideBySide before={before} after={after} parts={change.parts} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Sentence({ change: { kind, subject, words } }: { readonly change: BoardChange }) {
  const isSaid = kind === "changed" && words.length > 0;
  return (
    <p className={styles.sentence}>
      <b>{subject}</b> {!isSaid && <span className={styles.kind}>{kind}</span>} {words.join(", ")}
    </p>
  );
}
