import type { Result } from "@hadal/sdk";
import type { OnIntent } from "../../chart/kit/answer/intent.js";
import type { ColorBook } from "../../chart/kit/paint/color.js";
import { rangeInWords } from "../../format/rangeInWords.js";
import type { Question } from "../../panel/ask/useQuestion.js";
import { ResultPane } from "../../panel/draw/ResultPane.js";
import { usePanel } from "../../panel/panel.js";
import styles from "../style/embed.module.css";
import { emptyWords } from "./emptyWords.js";
import { Notice } from "./Notice.js";
import { wordsOf } from "./refusal.js";

export interface AnswerProps {
  readonly question: Question;
  readonly colors: ColorBook;
  readonly themeName: string;
  readonly onIntent: OnIntent;
}

/** The result, or why there is none, short enough for a small chart. An old one stays until the first frame of the new one. */
export function Answer({ question, ...drawing }: AnswerProps) {
  const { dive } = usePanel();
  const { main, extras, lacks } = question;
  const { answer, problem, waiting, streaming } = main;
  if (lacks !== null) return <Notice title={lacks} tone="quiet" testId="embed-lacks" />;
  if (answer === null) {
    if (problem === null) {
      return <div className={styles.waiting} data-testid="loading" aria-busy="true" />;
    }
    const text = wordsOf(problem);
    return (
      <Notice title="No answer" text={text} tone="bad" testId="embed-problem" onAgain={dive} />
    );
  }
  const { result, subject } = answer;
  const empty = emptyWords(result, subject);
  return (
    <>
      {problem !== null && (
        <div className={styles.strip} role="alert" data-testid="embed-problem">
          <span title={problem.message}>{wordsOf(problem)}</span>
          <button type="button" className={styles.action} onClick={dive}>
            Ask again
          </button>
        </div>
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
        {empty === null ? (
          <ResultPane {...{ result, subject, extras }} {...drawing} />
        ) : (
          <Empty title={empty} result={result} />
        )}
      </div>
    </>
  );
}

/** The rows that are missing may have values: the status line below says how many are. */
function Empty({ title, result }: { readonly title: string; readonly result: Result }) {
  const { state, timeZone, dive } = usePanel();
  const range = rangeInWords(state.from, state.to, timeZone);
  const isWhole = result.completeness.fraction === 1;
  return (
    <Notice
      title={isWhole ? title : "Nothing found so far"}
      text={range}
      tone="quiet"
      testId="embed-empty"
      {...(!isWhole && { onAgain: dive })}
    />
  );
}
