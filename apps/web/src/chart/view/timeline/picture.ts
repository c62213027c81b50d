import { formatTick } from "../../../format/time.js";
import { keyOfGroup } from "../../kit/answer/series.js";
import { timeTicks } from "../../kit/paint/axis.js";
import { fitName } from "../../kit/paint/fitName.js";
import type { DrawView, PictureProps, PictureSize } from "../../kit/picture/viewPicture.js";
import { createSvgContext, type SvgContext } from "../../kit/svg/svgContext.js";
import { buildTimeline, placeOf, type Timeline } from "./build.js";

const linePx = 16;
const lanePx = 6;
const axisPx = 22;
const markPx = 12;
const tickRoomPx = 90;

export const drawTimeline: DrawView = (props) => {
  const { input, options, ruler } = props;
  const { key = "", lane = "", length = "", at, color = "" } = options;
  const columns = { key, lane, length, color, isEnd: at === "end" };
  const timeline = buildTimeline(input.result, columns);
  const more = input.result.truncated?.rows ?? 0;
  return {
    chart: (size) => {
      const pen = createSvgContext(ruler);
      drawLanes(pen, timeline, props, size);
      return pen.print(size.width, size.height);
    },
    notes: [
      ...(timeline.hiddenLanes > 0 ? [`${timeline.hiddenLanes} more lanes are not drawn`] : []),
      ...(more > 0 ? [`the first ${timeline.spans.length} rows; ${more} more`] : []),
    ],
  };
};

/** Lanes as far as they have room, and the axis of times below. */
function drawLanes(
  pen: SvgContext,
  timeline: Timeline,
  { input, options, colors, theme }: PictureProps,
  { width, height }: PictureSize,
): void {
  const names = [...new Set(timeline.spans.map((span) => keyOfGroup([span.color])))];
  const hues = colors.huesOf(names);
  const hueOf = new Map(names.map((name, i) => [name, hues[i] ?? 0]));
  const left = Math.min(180, width * 0.25);
  const room = Math.max(20, width - left - 8);
  const bottom = height - axisPx;
  const ticks = timeTicks(
    timeline.fromMs,
    timeline.toMs,
    Math.max(1, Math.floor(room / tickRoomPx)),
    input.timeZone,
  );
  const xOf = (timeMs: number): number =>
    left + ((timeMs - timeline.fromMs) / (timeline.toMs - timeline.fromMs)) * room;
  pen.font = `11px ${theme.font}`;
  for (const timeMs of ticks.timesMs) {
    pen.fillStyle = theme.hairline;
    pen.fillRect(xOf(timeMs), 0, 1, bottom);
    pen.fillStyle = theme.quiet;
    pen.textAlign = "center";
    pen.textBaseline = "top";
    pen.fillText(formatTick(timeMs, input.timeZone, ticks.stepMs), xOf(timeMs), bottom + 6);
  }
  let top = 0;
  pen.font = `12px ${theme.font}`;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  for (const lane of timeline.lanes) {
    const high = lane.lines * linePx + lanePx;
    if (top + high > bottom) break;
    pen.fillStyle = theme.ink;
    const name = (options.lane ?? "") === "" ? "rows" : lane.label;
    const text = fitName(name, 40, left - 12, (one) => pen.measureText(one).width);
    pen.fillText(text, 0, top + high / 2);
    for (const span of lane.spans) {
      const place = placeOf(timeline, span);
      const hue = hueOf.get(keyOfGroup([span.color])) ?? 0;
      const own = theme.series[hue] ?? theme.accent;
      pen.fillStyle = (options.color ?? "") === "" ? theme.accent : own;
      const x = left + (place.left / 100) * room;
      const y = top + span.line * linePx + 3;
      pen.fillRect(x, y, Math.max(3, (place.width / 100) * room), markPx);
    }
    pen.fillStyle = theme.hairline;
    pen.fillRect(0, top + high - 1, width, 1);
    top += high;
  }
}
