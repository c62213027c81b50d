import type { ColumnChange, Filter, ValueChange } from "@hadal/sdk";
import { Group, Minus, Plus } from "lucide-react";
import { shortenName } from "../../../format/name.js";
import { Button } from "../../../ui/button/Button.js";
import styles from "./ChangesView.module.css";
import { differenceText, percent, sureness, valueText } from "./changeWords.js";

/** In full, up to a length that can be read. */
const nameMax = 200;

export interface ChangeActions {
  readonly onOnly: (filter: Filter) => void;
  readonly onNot: (filter: Filter) => void;
  /** null: it cannot be grouped by. */
  readonly onGroup: ((column: ColumnChange) => void) | null;
}

export interface ChangeCardProps extends ChangeActions {
  readonly rank: number;
  readonly column: ColumnChange;
}

/** One column: its best value in words, and how all of its values are spread over both sides. */
export function ChangeCard({ rank, column, onOnly, onNot, onGroup }: ChangeCardProps) {
  const { name, unit, best, values } = column;
  const text = valueText(best.is, unit);
  return (
    <li className={styles.card} data-testid="change-card" data-column={name}>
      <header className={styles.head}>
        <span className={styles.rank}>{rank}</span>
        <h3 className={styles.name} title={name}>
          {shortenName(name, nameMax)}
        </h3>
        <span className={styles.sure}>{sureness(best)}</span>
      </header>
      <p className={styles.best} data-testid="change-best">
        <code title={text}>{shortenName(text, nameMax)}</code>
        <span>
          <b className={styles.a}>{percent(best.a.share)}</b> of A,{" "}
          <b className={styles.b}>{percent(best.b.share)}</b> of B
        </span>
        <span className={styles.quiet}>{differenceText(column)}</span>
      </p>
      <PairedBars values={values} unit={unit} name={name} onOnly={onOnly} />
      <div className={styles.actions}>
        <Button data-testid="change-only" onClick={() => onOnly(best.filter)}>
          <Plus size={13} /> Only this
        </Button>
        <Button data-testid="change-not" onClick={() => onNot(best.exclude)}>
          <Minus size={13} /> Not this
        </Button>
        {onGroup !== null && (
          <Button data-testid="change-group" onClick={() => onGroup(column)}>
            <Group size={13} /> Group by
          </Button>
        )}
      </div>
    </li>
  );
}

interface PairedBarsProps {
  readonly values: readonly ValueChange[];
  readonly unit: string | undefined;
  readonly name: string;
  readonly onOnly: (filter: Filter) => void;
}

/** Per value a bar of A over one of B, to the scale of the longest. */
function PairedBars({ values, unit, name, onOnly }: PairedBarsProps) {
  const most = Math.max(...values.flatMap(({ a, b }) => [a.share, b.share]), 1e-9);
  // What there is at all is seen.
  const width = (share: number) => ({
    width: share === 0 ? 0 : `max(1px, ${(share / most) * 100}%)`,
  });
  return (
    <ul className={styles.bars} aria-label={`Values of ${name}`}>
      {values.map((value) => {
        const { is, a, b } = value;
        const text = valueText(is, unit);
        return (
          <li key={JSON.stringify(is, bigintText)}>
            <button
              type="button"
              className={styles.bar}
              title={`${text}: ${percent(a.share)} of A, ${percent(b.share)} of B. Click: only this.`}
              onClick={() => onOnly(value.filter)}
            >
              <span className={styles.label}>{shortenName(text, nameMax)}</span>
              <span className={styles.track}>
                <span className={styles.fillA} style={width(a.share)} />
                <span className={styles.fillB} style={width(b.share)} />
              </span>
              <span className={styles.share}>{percent(a.share)}</span>
              <span className={styles.share}>{percent(b.share)}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

const bigintText = (_key: string, value: unknown): unknown =>
  typeof value === "bigint" ? value.toString() : value;
