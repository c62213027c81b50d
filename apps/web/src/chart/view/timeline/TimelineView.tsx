import { useMemo } from "react";
import { formatMs } from "../../../format/duration.js";
import { shortenName } from "../../../format/name.js";
import { formatExact } from "../../../format/number.js";
import { formatInstant, formatTick } from "../../../format/time.js";
import { formatMeasureExact } from "../../../format/value.js";
import { keyOfGroup, labelOfCell, labelOfValue } from "../../kit/answer/series.js";
import { Tip } from "../../kit/cells/Tip.js";
import { timeTicks } from "../../kit/paint/axis.js";
import { colorOfHue } from "../../kit/paint/color.js";
import type { TooltipContent } from "../../kit/pointer/tooltip.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import {
  buildTimeline,
  groupOfSpan,
  placeOf,
  type Span,
  sinceFirst,
  type Timeline,
  timesOfSpan,
} from "./build.js";
import { KeyChoice } from "./KeyChoice.js";
import styles from "./TimelineView.module.css";
import { type SpanCursor, useSpanCursor } from "./useSpanCursor.js";

/** Rows on a time axis, each as wide as its duration. */
export function TimelineView(props: ViewProps) {
  const { input, options, extras, colors, onIntent } = props;
  const { key = "", lane = "", length = "", at, color = "" } = options;
  const timeline = useMemo(
    () => buildTimeline(input.result, { key, lane, length, color, isEnd: at === "end" }),
    [input, key, lane, length, at, color],
  );
  const hueOf = useMemo(() => {
    const names = [...new Set(timeline.spans.map((span) => keyOfGroup([span.color])))];
    const hues = colors.huesOf(names);
    return new Map(names.map((name, i) => [name, hues[i] ?? 0]));
  }, [timeline, colors]);
  const more = input.result.truncated?.rows ?? 0;
  return (
    <div className={styles.view}>
      {extras.keys !== undefined && (
        <KeyChoice
          column={key}
          keys={extras.keys}
          more={more}
          drawn={timeline.spans.length}
          onIntent={onIntent}
        />
      )}
      {timeline.hiddenLanes > 0 && (
        <p className={styles.note}>
          {timeline.hiddenLanes} more lanes are not drawn: filter, or choose another column for
          lanes.
        </p>
      )}
      <Lanes {...props} timeline={timeline} hueOf={hueOf} />
    </div>
  );
}

interface LanesProps extends ViewProps {
  readonly timeline: Timeline;
  readonly hueOf: ReadonlyMap<string, number>;
}

function Lanes({ timeline, hueOf, input, options, onIntent }: LanesProps) {
  const cursor = useSpanCursor(timeline);
  const { pointed } = cursor;
  const { color = "", lane = "" } = options;
  const indexOf = useMemo(
    () => new Map(timeline.spans.map((span, i) => [span.row, i])),
    [timeline],
  );
  const look = tipLook(input, hueOf, color);
  const ticks = timeTicks(timeline.fromMs, timeline.toMs, 8, input.timeZone);
  const left = (timeMs: number) =>
    ((timeMs - timeline.fromMs) / (timeline.toMs - timeline.fromMs)) * 100;
  return (
    <div className={styles.scroll}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms; this is one chart of many marks */}
      <div
        ref={cursor.hostRef}
        className={styles.lanes}
        data-testid="chart"
        role="group"
        aria-roledescription="chart"
        aria-label={`Timeline of ${timeline.spans.length} rows; arrow keys walk them in their order`}
        onKeyDown={cursor.onKeyDown}
        onPointerLeave={cursor.leave}
      >
        {timeline.lanes.map((one) => (
          <div key={one.key} className={styles.lane}>
            <span className={styles.name} title={one.label}>
              {lane === "" ? "rows" : shortenName(one.label, 30)}
            </span>
            <div className={styles.track} style={{ height: one.lines * 16 + 6 }}>
              {ticks.timesMs.map((timeMs) => (
                <i key={timeMs} className={styles.tick} style={{ left: `${left(timeMs)}%` }} />
              ))}
              <SpanButtons
                {...{ spans: one.spans, timeline, indexOf, cursor, look }}
                onPick={(span, { x, y }) =>
                  onIntent({ kind: "pick", mark: { ...markOfSpan(span, input.timeZone), x, y } })
                }
              />
            </div>
          </div>
        ))}
        <TimeAxis ticks={ticks} timeZone={input.timeZone} left={left} />
        {pointed !== null && (
          <Tip content={spanTip(pointed.span, timeline, look)} x={pointed.x} y={pointed.y} />
        )}
      </div>
    </div>
  );
}

interface SpanButtonsProps {
  readonly spans: readonly Span[];
  readonly timeline: Timeline;
  /** The indexes of rows in the order of their start. */
  readonly indexOf: ReadonlyMap<number, number>;
  readonly cursor: SpanCursor;
  readonly look: TipLook;
  readonly onPick: (span: Span, at: { readonly x: number; readonly y: number }) => void;
}

/** The rows of one lane. */
function SpanButtons({ spans, timeline, indexOf, cursor, look, onPick }: SpanButtonsProps) {
  return spans.map((span) => {
    const index = indexOf.get(span.row) ?? 0;
    return (
      <SpanButton
        key={span.row}
        {...{ span, timeline, index, isActive: index === cursor.active }}
        onPoint={cursor.point}
        onFocus={cursor.focus}
        onBlur={cursor.blur}
        color={look.mark(span)}
        onPick={(x, y) => onPick(span, { x, y })}
      />
    );
  });
}

function markOfSpan(span: Span, timeZone: string) {
  const group = groupOfSpan(span);
  const range = timesOfSpan(span);
  const text = formatInstant(range.fromMs, timeZone);
  return { group, range, label: `${group.map(labelOfCell).join(" · ") || "row"}, ${text}`, text };
}

interface SpanButtonProps {
  readonly span: Span;
  readonly timeline: Timeline;
  /** Its index in the order of the rows. */
  readonly index: number;
  readonly isActive: boolean;
  readonly color: string;
  readonly onPoint: SpanCursor["point"];
  readonly onFocus: SpanCursor["focus"];
  readonly onBlur: () => void;
  /** Opens its menu at a position in the window. */
  readonly onPick: (x: number, y: number) => void;
}

/** One row, as wide as its length of time. */
function SpanButton({ span, timeline, index, isActive, color, ...on }: SpanButtonProps) {
  const place = placeOf(timeline, span);
  return (
    <button
      type="button"
      data-testid="span"
      data-index={index}
      tabIndex={isActive ? 0 : -1}
      className={styles.span}
      style={{
        left: `${place.left}%`,
        width: `max(3px, ${place.width}%)`,
        top: span.line * 16 + 3,
        background: color,
      }}
      aria-label={spanWords(timeline, span)}
      onPointerEnter={(event) => on.onPoint(span, event.currentTarget)}
      onFocus={(event) => on.onFocus(index, event.currentTarget)}
      onBlur={on.onBlur}
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const isKey = event.detail === 0;
        on.onPick(isKey ? box.left : event.clientX, isKey ? box.bottom : event.clientY);
      }}
    />
  );
}

interface TimeAxisProps {
  readonly ticks: ReturnType<typeof timeTicks>;
  readonly timeZone: string;
  /** The position of a time, in percent of the width. */
  readonly left: (timeMs: number) => number;
}

function TimeAxis({ ticks, timeZone, left }: TimeAxisProps) {
  return (
    <div className={styles.axis} aria-hidden="true">
      {ticks.timesMs.map((timeMs) => (
        <span key={timeMs} style={{ left: `${left(timeMs)}%` }}>
          {formatTick(timeMs, timeZone, ticks.stepMs)}
        </span>
      ))}
    </div>
  );
}

interface TipLook {
  readonly input: ViewProps["input"];
  readonly mark: (span: Span) => string;
}

const tipLook = (
  input: ViewProps["input"],
  hueOf: ReadonlyMap<string, number>,
  color: string,
): TipLook => ({
  input,
  mark: (span) =>
    color === "" ? "var(--accent)" : colorOfHue(hueOf.get(keyOfGroup([span.color])) ?? 0),
});

function spanTip(span: Span, timeline: Timeline, { input, mark }: TipLook): TooltipContent {
  const { result, timeZone } = input;
  const row = result.rows[span.row] ?? [];
  return {
    title: formatInstant(Math.floor(span.startMs), timeZone),
    heads: [],
    rows: result.columns.flatMap(({ name, type, unit }, i) => {
      if (name === "time") return [];
      const value = row[i] ?? null;
      const text = Array.isArray(value)
        ? value.join(", ")
        : type === "int" || type === "decimal"
          ? formatMeasureExact(value as number | bigint | string | null, { unit })
          : labelOfValue(value as string | null);
      return [{ color: mark(span), name, cells: [shortenName(text, 60)] }];
    }),
    note: `${sinceFirst(timeline, span)} after the first${span.endMs > span.startMs ? `, took ${formatMs(span.endMs - span.startMs)}` : ""} · row ${formatExact(span.row + 1)}`,
  };
}

const spanWords = (timeline: Timeline, span: Span): string =>
  [
    labelOfCell(span.lane),
    sinceFirst(timeline, span),
    span.endMs > span.startMs ? `took ${formatMs(span.endMs - span.startMs)}` : "",
  ]
    .filter((text) => text !== "")
    .join(", ");
