import { type CSSProperties, type MouseEvent, useMemo } from "react";
import { formatShare } from "../../../format/change.js";
import { formatBounded } from "../../../format/errorBar.js";
import { formatMeasure, formatMeasureExact } from "../../../format/value.js";
import { asNumber, labelOfCell } from "../../kit/answer/series.js";
import type { GroupTotal } from "../../kit/answer/totals.js";
import { totalsBeside } from "../../kit/answer/totalsBeside.js";
import { colorOfHue, otherHue, symbolOf } from "../../kit/paint/color.js";
import split from "../../kit/props/split.module.css";
import type { ViewProps } from "../../kit/props/viewProps.js";
import styles from "./ArrangedBars.module.css";
import {
  type ArrangedBar,
  arrangeBars,
  type BarPart,
  hasLengths,
  lengthOf,
  partKeyOf,
  partKinds,
  sizeOf,
} from "./arrange.js";

export interface ArrangedBarsProps {
  readonly view: ViewProps;
  readonly totals: readonly GroupTotal[];
  readonly isStack: boolean;
}

const nameOf = ({ group }: GroupTotal): string => group.slice(1).map(labelOfCell).join(" · ");

/** A bar for each value of the first group, its parts by the others: on top of each other, or side by side. */
export function ArrangedBars({ view, totals, isStack }: ArrangedBarsProps) {
  const { input, extras, colors } = view;
  const { whole } = extras;
  const drawn = useMemo(() => {
    const wholes = totalsBeside(whole, input, input.groupColumns.slice(0, 1));
    if (wholes === null) return null;
    const kinds = partKinds(totals);
    const bars = arrangeBars({ totals, wholes, kinds, isStack, nameOf });
    const hues = colors.huesOf(kinds);
    return { bars, hueOf: new Map(kinds.map((key, i) => [key, hues[i] ?? 0])) };
  }, [whole, input, totals, isStack, colors]);
  if (drawn === null) return <div className={split.loading} aria-busy="true" />;
  const { bars, hueOf } = drawn;
  const stacks = isStack && hasLengths(bars);
  const longest = Math.max(...bars.map((bar) => lengthOf(bar, { stacks })), 0);
  const names = new Map(totals.map((total) => [partKeyOf(total), nameOf(total)]));
  return (
    <div className={styles.bars} data-testid="chart">
      <p className={styles.key} data-testid="bars-key">
        {[...hueOf].map(([key, hue]) => (
          <span key={key}>
            <i
              className={styles.swatch}
              data-symbol={symbolOf(hue)}
              style={{ background: colorOfHue(hue) }}
            />
            {names.get(key)}
          </span>
        ))}
      </p>
      {isStack && !stacks && (
        <p className={split.note}>What is below 0 cannot be stacked: it is side by side.</p>
      )}
      <ul className={styles.list}>
        {bars.map((bar) => (
          <Bar
            key={bar.whole.key}
            bar={bar}
            view={view}
            stacks={stacks}
            longest={longest}
            hueOf={hueOf}
          />
        ))}
      </ul>
    </div>
  );
}

interface BarProps {
  readonly bar: ArrangedBar;
  readonly view: ViewProps;
  readonly stacks: boolean;
  /** Of all bars; the others are drawn in proportion. */
  readonly longest: number;
  readonly hueOf: ReadonlyMap<string, number>;
}

function Bar({ bar, view, stacks, longest, hueOf }: BarProps) {
  const { whole, parts } = bar;
  const [measure] = view.input.measures;
  const number = formatBounded(whole.values[0] ?? null, measure?.measure, formatMeasure);
  const all = asNumber(whole.values[0] ?? null) ?? 0;
  const widthOf = (part: BarPart): string =>
    `${longest > 0 ? ((sizeOf(part) / longest) * 100).toFixed(2) : 0}%`;
  const pick = (part: BarPart, { clientX: x, clientY: y }: MouseEvent): void => {
    const text = formatMeasureExact(part.value, measure?.measure ?? {});
    const noFilter = "These are the groups without a part of their own: the list below has them.";
    const what =
      part.total === null
        ? { group: [], noFilter, label: `${whole.label}, others` }
        : { group: part.total.group };
    view.onIntent({ kind: "pick", mark: { ...what, text, x, y } });
  };
  return (
    <li className={styles.line} data-testid="arranged-bar">
      <span className={styles.name} title={whole.label}>
        {whole.label}
      </span>
      <span className={styles.track} data-stack={stacks}>
        {parts.map((part) => {
          const amount = formatBounded(part.value, measure?.measure, formatMeasure);
          const share = stacks && all > 0 ? `, ${formatShare(sizeOf(part) / all)}` : "";
          return (
            <button
              key={part.key}
              type="button"
              className={styles.part}
              title={`${whole.label} · ${part.label}: ${amount}${share}`}
              aria-label={`${whole.label}, ${part.label}: ${amount}${share}`}
              style={
                {
                  "--part": colorOfHue(hueOf.get(part.key) ?? otherHue),
                  width: widthOf(part),
                } as CSSProperties
              }
              onClick={(event) => pick(part, event)}
            />
          );
        })}
      </span>
      <span className={styles.number}>{number}</span>
    </li>
  );
}
