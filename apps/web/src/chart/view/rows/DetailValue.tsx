import type { ResultColumn, ResultValue } from "@hadal/sdk";
import type { OnIntent } from "../../kit/answer/intent.js";
import { isTexts } from "../../kit/rows/rowColumns.js";
import { toneOf } from "../../kit/rows/valueTone.js";
import { MarkedText } from "./MarkedText.js";
import styles from "./RowsView.module.css";
import { filterOfElement } from "./rowFilters.js";

export interface DetailValueProps {
  readonly value: ResultValue;
  readonly column: ResultColumn;
  readonly text: string;
  /** What the filters look for in it. */
  readonly searched: readonly string[];
  readonly onIntent: OnIntent;
}

/** A value whole: sets as tags, each a filter; vectors as the lines of a stack. */
export function DetailValue({ value, column, text, searched, onIntent }: DetailValueProps) {
  if (!isTexts(value)) {
    return (
      <span className={styles.text} data-missing={value === null} data-tone={toneOf(value, column)}>
        {value === null ? "missing" : <MarkedText text={text} searched={searched} />}
      </span>
    );
  }
  if (value.length === 0) return <span data-missing="true">empty</span>;
  const places = value.map((part, i) => ({ part, place: `${i} ${part}` }));
  const only = (part: string) => () =>
    onIntent({ kind: "filter", filters: [filterOfElement(part, column)], exclude: false });
  if (column.type === "vector") {
    return (
      <ol className={styles.vector}>
        {places.map(({ part, place }) => (
          <li key={place}>
            <button
              type="button"
              className={styles.frame}
              title="Only rows that have it"
              onClick={only(part)}
            >
              {part}
            </button>
          </li>
        ))}
      </ol>
    );
  }
  return (
    <span className={styles.tags}>
      {places.map(({ part, place }) => (
        <button
          key={place}
          type="button"
          className={styles.tag}
          title="Only rows that have it"
          onClick={only(part)}
        >
          {part}
        </button>
      ))}
    </span>
  );
}
