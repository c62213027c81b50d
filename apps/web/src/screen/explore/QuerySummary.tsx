import { usesField, viewOf } from "../../chart/view/views.js";
import { rangeInWords } from "../../format/rangeInWords.js";
import { sideNames } from "../../panel/draw/sideNames.js";
import { useFormQuery } from "../../panel/formQuery.js";
import styles from "./ExploreScreen.module.css";

export interface QuerySummaryProps {
  readonly onOpen: () => void;
}

/** On a narrow screen: the time range, the comparison and the view of the answer. */
export function QuerySummary({ onOpen }: QuerySummaryProps) {
  const { state, timeZone } = useFormQuery();
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
      data-testid="query-summary"
      title="Open the form"
      onClick={onOpen}
    >
      {parts.join(" · ")}
    </button>
  );
}
