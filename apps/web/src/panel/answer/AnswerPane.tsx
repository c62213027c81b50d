import type { HadalError } from "@hadal/sdk";
import type { OnIntent } from "../../chart/kit/answer/intent.js";
import type { ColorBook } from "../../chart/kit/paint/color.js";
import { ProblemPanel, type Remedy } from "../../ui/page/ProblemPanel.js";
import type { Question } from "../ask/useQuestion.js";
import { ResultPane } from "../draw/ResultPane.js";
import { usePanel } from "../panel.js";
import styles from "./AnswerPane.module.css";
import { LacksPanel } from "./LacksPanel.js";
import { NoRows } from "./NoRows.js";
import { NoRowsYet } from "./NoRowsYet.js";

export interface AnswerPaneProps {
  readonly question: Question;
  readonly colors: ColorBook;
  readonly themeName: string;
  readonly onIntent: OnIntent;
  /** A remedy with one click; null: none. */
  readonly remedyOf: (problem: HadalError) => Remedy | null;
}

/** The result, or why there is none. The old one stays, dimmed after a moment, until the first frame of the new one. */
export function AnswerPane(props: AnswerPaneProps) {
  const { question, colors, themeName, onIntent, remedyOf } = props;
  const { dive } = usePanel();
  const { main, extras, lacks } = question;
  const { answer, problem, waiting, streaming } = main;
  if (lacks !== null) return <LacksPanel lacks={lacks} />;
  if (answer === null) {
    if (problem !== null) {
      const remedy = remedyOf(problem);
      return <ProblemPanel problem={problem} strip={false} onAgain={dive} remedy={remedy} />;
    }
    return <div className={styles.first} data-testid="loading" aria-busy="true" />;
  }
  const { result, subject } = answer;
  const isEmpty = result.final && result.stats.rowsMatched === 0;
  const isWhole = result.completeness.fraction === 1;
  const { without } = subject.built;
  const isBlank =
    !isEmpty && result.final && without !== null && subject.state.options.show !== "data";
  return (
    <>
      {problem !== null && (
        <ProblemPanel problem={problem} strip onAgain={dive} remedy={remedyOf(problem)} />
      )}
      <div
        className={styles.answer}
        data-testid="result"
        data-view={subject.state.view}
        data-final={result.final}
        data-stale={waiting || problem !== null}
        data-streaming={streaming}
        aria-busy={waiting || streaming}
      >
        {(isEmpty || isBlank) && !isWhole && (
          <NoRowsYet completeness={result.completeness} column={isBlank ? without : null} />
        )}
        {(isEmpty || isBlank) && isWhole && <NoRows column={isBlank ? without : null} />}
        {!isEmpty && !isBlank && (
          <ResultPane
            result={result}
            subject={subject}
            extras={extras}
            colors={colors}
            themeName={themeName}
            onIntent={onIntent}
          />
        )}
      </div>
    </>
  );
}
