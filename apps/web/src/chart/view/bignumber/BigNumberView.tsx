import { type MouseEvent, useMemo } from "react";
import { formatChange } from "../../../format/change.js";
import { formatBounded, formatErrorBar } from "../../../format/errorBar.js";
import { formatMeasure, formatMeasureExact } from "../../../format/value.js";
import type { OnIntent } from "../../kit/answer/intent.js";
import { baseNameOf } from "../../kit/answer/series.js";
import { changeOf, differenceOf } from "../../kit/answer/totals.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { spanOf, sparkPath } from "../../kit/svg/sparkPath.js";
import styles from "./BigNumberView.module.css";
import { type BigNumber, bigNumbers, normalText } from "./build.js";

/** Every aggregate as a large number, with its line over time, its error and the usual range. */
export function BigNumberView({ input, extras, onIntent }: ViewProps) {
  const numbers = useMemo(() => bigNumbers(input, extras), [input, extras]);
  return (
    <ul className={styles.cards} data-testid="chart" aria-label="Big numbers">
      {numbers.map((one) => (
        <Card key={one.measure.name} one={one} onIntent={onIntent} />
      ))}
    </ul>
  );
}

function Card({ one, onIntent }: { readonly one: BigNumber; readonly onIntent: OnIntent }) {
  const { measure, value, errorBar, base, unsure, normal } = one;
  const exact = formatMeasureExact(value, measure.measure);
  const pick = (event: MouseEvent<HTMLElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    // Keys press at no place: the menu opens at the number.
    const [x, y] = event.detail === 0 ? [box.left, box.bottom] : [event.clientX, event.clientY];
    onIntent({ kind: "pick", mark: { group: [], label: measure.label, text: exact, x, y } });
  };
  return (
    <li className={styles.card} data-testid="big-number">
      <h2 className={styles.label} title={measure.label}>
        {measure.label}
      </h2>
      <button type="button" className={styles.value} title={exact} onClick={pick}>
        {formatBounded(value, measure.measure, formatMeasure)}
        <span className={styles.error}>{formatErrorBar(value, errorBar, measure.measure)}</span>
      </button>
      {base !== undefined && <Delta value={value} base={base} unsure={unsure} one={one} />}
      <Spark one={one} />
      {normal !== null && (
        <p className={styles.normal} data-verdict={normal.verdict} data-testid="normal">
          {normalText(normal, measure)}
        </p>
      )}
    </li>
  );
}

interface DeltaProps {
  readonly value: BigNumber["value"];
  readonly base: BigNumber["value"];
  readonly unsure: string | null;
  readonly one: BigNumber;
}

function Delta({ value, base, unsure, one }: DeltaProps) {
  const { measure } = one.measure;
  const difference = Number(differenceOf(value, base) ?? 0);
  const change = unsure !== null || difference === 0 ? undefined : difference > 0 ? "more" : "less";
  return (
    <p className={styles.delta} data-testid="delta">
      <strong data-change={change}>{formatChange(changeOf(value, base))}</strong>
      <span title={formatMeasureExact(base, measure)}>
        {" "}
        {baseNameOf(one.measure)} {formatMeasure(base, measure)}
      </span>
      {unsure !== null && <span>, {unsure}</span>}
    </p>
  );
}

const [sparkWidth, sparkHeight] = [240, 44];

function Spark({ one }: { readonly one: BigNumber }) {
  const { line, baseLine } = one;
  const span = spanOf([line, baseLine ?? []]);
  if (span === null) return <div className={styles.spark} />;
  const { low, high } = span;
  const path = (of: readonly (number | null)[]) =>
    sparkPath(of, { low, high, width: sparkWidth, height: sparkHeight });
  return (
    <svg
      className={styles.spark}
      viewBox={`0 -2 ${sparkWidth} ${sparkHeight + 4}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {baseLine !== null && <path className={styles.baseLine} d={path(baseLine)} />}
      <path className={styles.line} d={path(line)} />
    </svg>
  );
}
