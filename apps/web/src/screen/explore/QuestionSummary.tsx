import { usesField, viewOf } from "../../chart/view/views.js";
import { rangeInWords } from "../../format/rangeInWords.js";
import { sideNames } from "../../panel/draw/sideNames.js";
import styles from "./ExploreScreen.module.css";
import { useExplore } from "./explore.js";

export interface QuestionSummaryProps {
  readonly onOpen: () => void;
}

/** Where the form is a drawer: the times, the comparison and the view that the answer is of. */
export function QuestionSummary({ onOpen }: QuestionSummaryProps) {
  const { state, timeZone } = useExplore();
  const isCompared = state.compare !== null && usesField(state.view, "compare");
  const { a, b } = sideNames(state);
  const parts = [
    rangeInWords(state.from, state.to, timeZone),
    ...(isCompared ? [`${a} against ${b}`] : []),
    viewOf(state.view).name,
  ];
  return (
    <button
      type="button"
      className={styles.summary}
      data-testid="question-summary"
      title="Open the form"
      onClick={onOpen}
    >
      {parts.join(" · ")}
    </button>
  );
}
