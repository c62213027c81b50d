import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
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

/** Rows in their order on a time axis, as long as they took. */
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

interface Pointed {
  readonly span: Span;
  /** The timeline it belongs to: no tip is shown for a span of an older one. */
  readonly timeline: Timeline;
  readonly x: number;
  readonly y: number;
}

function Lanes({ timeline, hueOf, input, options, onIntent }: LanesProps) {
  const host = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);
  const [lastPointed, setPointed] = useState<Pointed | null>(null);
  const pointed = lastPointed?.timeline === timeline ? lastPointed : null;
  const [lastActive, setActive] = useState(0);
  const active = Math.max(0, Math.min(lastActive, timeline.spans.length - 1));
  const { color = "", lane = "" } = options;
  const indexOf = useMemo(
    () => new Map(timeline.spans.map((span, i) => [span.row, i])),
    [timeline],
  );

  const focusOn = (index: number): void =>
    host.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus();
  const point = (span: Span, target: HTMLElement): void => {
    const around = host.current?.getBoundingClientRect();
    const box = target.getBoundingClientRect();
    if (around === undefined) return;
    setPointed({
      span,
      timeline,
      x: box.left - around.left + Math.min(box.width, 40),
      y: box.bottom - around.top - 8,
    });
  };
  // Who walks the rows goes on from there when another answer has put others in their place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another answer moves them
  useLayoutEffect(() => {
    if (!hasFocus.current) return;
    const focused = document.activeElement;
    if (focused === document.body) focusOn(active);
    else if (focused instanceof HTMLElement) {
      point(timeline.spans[Number(focused.dataset.index)]!, focused);
    }
  }, [timeline]);
  const walk = (event: KeyboardEvent<HTMLElement>): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(timeline.spans.length - 1, active + step));
    setActive(next);
    focusOn(next);
  };
  const pick = (span: Span, x: number, y: number): void =>
    onIntent({ kind: "pick", mark: { ...markOfSpan(span, input.timeZone), x, y } });
  const look = tipLook(input, hueOf, color);
  const ticks = timeTicks(timeline.fromMs, timeline.toMs, 8, input.timeZone);
  const left = (timeMs: number) =>
    ((timeMs - timeline.fromMs) / (timeline.toMs - timeline.fromMs)) * 100;
  return (
    <div className={styles.scroll}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is a form's; this is one chart of many marks */}
      <div
        ref={host}
        className={styles.lanes}
        data-testid="chart"
        role="group"
        aria-roledescription="chart"
        aria-label={`Timeline of ${timeline.spans.length} rows; arrow keys walk them in their order`}
        onKeyDown={walk}
        onPointerLeave={() => setPointed(null)}
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
              {one.spans.map((span) => {
                const index = indexOf.get(span.row) ?? 0;
                return (
                  <SpanButton
                    key={span.row}
                    span={span}
                    timeline={timeline}
                    index={index}
                    isActive={index === active}
                    color={look.mark(span)}
                    onPoint={(target) => point(span, target)}
                    onFocus={(target) => {
                      hasFocus.current = true;
                      setActive(index);
                      point(span, target);
                    }}
                    onBlur={() => {
                      hasFocus.current = false;
                      setPointed(null);
                    }}
                    onPick={(x, y) => pick(span, x, y)}
                  />
                );
              })}
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

function markOfSpan(span: Span, timeZone: string) {
  const group = groupOfSpan(span);
  const range = timesOfSpan(span);
  const text = formatInstant(range.fromMs, timeZone);
  return { group, range, label: `${group.map(labelOfCell).join(" · ") || "row"}, ${text}`, text };
}

interface SpanButtonProps {
  readonly span: Span;
  readonly timeline: Timeline;
  /** Its place in the order of the rows. */
  readonly index: number;
  readonly isActive: boolean;
  readonly color: string;
  readonly onPoint: (target: HTMLElement) => void;
  readonly onFocus: (target: HTMLElement) => void;
  readonly onBlur: () => void;
  /** Asks for its menu at a place of the window. */
  readonly onPick: (x: number, y: number) => void;
}

/** One row, as long as it lasted. */
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
      onPointerEnter={(event) => on.onPoint(event.currentTarget)}
      onFocus={(event) => on.onFocus(event.currentTarget)}
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
  /** Where a time lies, in percent of the width. */
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
