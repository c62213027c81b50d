import type { Annotation } from "@hadal/sdk";
import { shortenName } from "../../../../format/name.js";
import { fitName } from "../../paint/fitName.js";
import type { SvgContext } from "../../svg/svgContext.js";
import { type Flag, flagsOf } from "../plot/flags.js";
import type { TimePlot } from "../plot/plot.js";

const textPx = 11;
/** Between a line and its words. */
const gapPx = 4;
/** A title shorter than this is not worth reading. */
const roomMinPx = 28;
const titleMax = 40;

/** What happened when: a line for each flag of the screen, its title beside it as far as there is room. */
export function drawAnnotations(
  pen: SvgContext,
  plot: TimePlot,
  annotations: readonly Annotation[],
): void {
  const { drawing, panels } = plot;
  const [first, last] = [panels[0], panels.at(-1)];
  if (first === undefined || last === undefined) return;
  const flags = flagsOf(plot, annotations);
  const height = last.top + last.height - first.top;
  pen.save();
  pen.font = `${textPx}px ${drawing.theme.font}`;
  pen.textBaseline = "top";
  flags.forEach((flag, i) => {
    const { leftPx, rightPx } = flag;
    pen.fillStyle = drawing.theme.accent;
    pen.globalAlpha = 0.12;
    if (rightPx - leftPx > 1) pen.fillRect(leftPx, first.top, rightPx - leftPx, height);
    pen.globalAlpha = 1;
    pen.fillRect(leftPx, first.top, 1, height);
    const room = (flags[i + 1]?.leftPx ?? drawing.width) - leftPx - 2 * gapPx;
    const text =
      room < roomMinPx
        ? ""
        : fitName(titleOf(flag), titleMax, room, (one) => pen.measureText(one).width);
    if (text !== "") pen.fillText(text, leftPx + gapPx, first.top + 2);
  });
  pen.restore();
}

function titleOf({ annotations: [first, ...others] }: Flag): string {
  const title = shortenName(first?.title ?? "", titleMax - 4);
  return others.length === 0 ? title : `${title} +${others.length}`;
}
