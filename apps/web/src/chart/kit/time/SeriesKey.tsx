import { Button } from "../../../ui/button/Button.js";
import { coversOf, thinnedWords } from "../answer/coverage.js";
import { baseNameOf, ownNameOf } from "../answer/series.js";
import type { ChosenLines } from "./plot/drawnLines.js";
import { isOverlayOfFocus } from "./plot/sides.js";
import styles from "./SeriesKey.module.css";

export interface SeriesKeyProps {
  readonly chosen: ChosenLines;
  readonly stacked: boolean;
  readonly onShowAll: () => void;
}

/** The meaning of solid and dotted lines, and which lines are drawn, in one row that is always shown. */
export function SeriesKey({ chosen, stacked, onShowAll }: SeriesKeyProps) {
  const { set, options, lineCount } = chosen;
  const shownCount = set.series.length;
  const isPart = shownCount < lineCount;
  const { averageOf } = options;
  const thinned = thinnedWords(coversOf(chosen.input));
  return (
    <div className={styles.key} data-testid="series-key">
      {lineCount > 1 && (
        <span className={styles.part}>
          {isPart ? `${shownCount} of ${lineCount} shown` : `${lineCount} lines`}
          {isPart && (
            <Button look="quiet" data-testid="show-all-lines" onClick={onShowAll}>
              show all
            </Button>
          )}
        </span>
      )}
      {isPart && stacked && <span>the top is not the total: lines are hidden</span>}
      <SidesKey chosen={chosen} stacked={stacked} />
      {thinned !== null && (
        <span className={styles.part} data-testid="thinned-key">
          <i className={styles.thinned} /> {thinned}
        </span>
      )}
      {averageOf > 1 && <span>average of {averageOf} buckets, with gaps where one is missing</span>}
    </div>
  );
}

function SidesKey({ chosen, stacked }: Omit<SeriesKeyProps, "onShowAll">) {
  const { sides, input, set, bothSides } = chosen;
  if (sides === "none") return null;
  const [measure] = (bothSides ?? input).measures;
  const [own, base] = [ownNameOf(measure), baseNameOf(measure)];
  if (sides !== "overlay") {
    return (
      <span data-testid="sides-key">
        {own} {sides === "ratio" ? "÷" : "−"} {base} · grey: may be no change
      </span>
    );
  }
  const ofFocus = stacked ? " (all shown lines)" : " (of the line you point at)";
  return (
    <span className={styles.sides} data-testid="sides-key">
      <i className={styles.solid} /> {own} <i className={styles.dotted} /> {base}
      {isOverlayOfFocus(set) && ofFocus}
    </span>
  );
}
