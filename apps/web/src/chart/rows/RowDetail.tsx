import type { ResultRow, ResultValue } from "@hadal/sdk";
import { Ellipsis } from "lucide-react";
import type { OnIntent } from "../intent.js";
import styles from "./RowsView.module.css";
import { cellText, isTexts, markOf, type ShownColumn } from "./rowColumns.js";

export interface RowDetailProps {
  readonly columns: readonly ShownColumn[];
  readonly row: ResultRow;
  readonly timeZone: string;
  readonly onIntent: OnIntent;
}

/** Every value of one row, whole: sets as tags, vectors as lines. */
export function RowDetail({ columns, row, timeZone, onIntent }: RowDetailProps) {
  return (
    <dl className={styles.detail} data-testid="row-detail">
      {columns.map(({ column, index }) => {
        const value = row[index] ?? null;
        return (
          <div key={column.name} className={styles.pair}>
            <dt>{column.name}</dt>
            <dd>
              <DetailValue
                value={value}
                kind={column.type}
                text={cellText(value, column, timeZone)}
              />
              <button
                type="button"
                className={styles.more}
                aria-label={`What to do with ${column.name}`}
                onClick={(event) => {
                  event.stopPropagation();
                  const { clientX: x, clientY: y } = anchorOf(event);
                  onIntent({ kind: "pick", mark: { ...markOf(value, column), x, y } });
                }}
              >
                <Ellipsis size={14} />
              </button>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

interface DetailValueProps {
  readonly value: ResultValue;
  readonly kind: string;
  readonly text: string;
}

function DetailValue({ value, kind, text }: DetailValueProps) {
  if (!isTexts(value)) {
    return (
      <span className={styles.text} data-missing={value === null}>
        {value === null ? "missing" : text}
      </span>
    );
  }
  if (value.length === 0) return <span data-missing="true">empty</span>;
  const places = value.map((part, i) => ({ part, place: `${i} ${part}` }));
  if (kind === "vector") {
    return (
      <ol className={styles.vector}>
        {places.map(({ part, place }) => (
          <li key={place}>{part}</li>
        ))}
      </ol>
    );
  }
  return (
    <span className={styles.tags}>
      {places.map(({ part, place }) => (
        <span key={place} className={styles.tag}>
          {part}
        </span>
      ))}
    </span>
  );
}

/** A press of a key has no pointer: the menu opens at the button. */
function anchorOf(event: React.MouseEvent<HTMLElement>): { clientX: number; clientY: number } {
  if (event.clientX !== 0 || event.clientY !== 0) return event;
  const box = event.currentTarget.getBoundingClientRect();
  return { clientX: box.left, clientY: box.bottom };
}
