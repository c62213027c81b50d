import type { Result } from "@hadal/sdk";
import { shortenName } from "../../../format/name.js";
import { formatCompact, formatExact } from "../../../format/number.js";
import type { OnIntent } from "../../kit/answer/intent.js";
import { asAmount, groupOf, keyOfGroup, labelOfGroup } from "../../kit/answer/series.js";
import styles from "./TimelineView.module.css";

export interface KeyChoiceProps {
  readonly column: string;
  /** Values of the column, those with most rows first. */
  readonly keys: Result;
  /** Rows that are not drawn. */
  readonly more: number;
  readonly drawn: number;
  readonly onIntent: OnIntent;
}

/** Everybody's rows at once are no story: whose it should be. */
export function KeyChoice({ column, keys, more, drawn, onIntent }: KeyChoiceProps) {
  return (
    <div className={styles.choice} data-testid="key-choice">
      <span>
        {more > 0 && `The first ${formatExact(drawn)} of ${formatCompact(drawn + more)} rows. `}
        Choose one {shortenName(column, 40)}:
      </span>
      {keys.rows.map((row) => {
        const group = groupOf(row, [column], [0]);
        const label = labelOfGroup(group);
        return (
          <button
            key={keyOfGroup(group)}
            type="button"
            className={styles.key}
            title={label}
            onClick={(event) => {
              const box = event.currentTarget.getBoundingClientRect();
              onIntent({
                kind: "pick",
                mark: { group, text: label, x: box.left, y: box.bottom },
              });
            }}
          >
            {shortenName(label, 24)} <small>{formatCompact(asAmount(row[1]) ?? 0)}</small>
          </button>
        );
      })}
    </div>
  );
}
