import { escapeXml } from "../svgText.js";
import type { FlamePen } from "./drawFlame.js";

/** A pen that notes boxes and words instead of painting them. */
export interface SvgPen extends FlamePen {
  readonly print: (widthPx: number, heightPx: number) => string;
}

/** Letters are measured by a pen that knows the fonts. */
export function createSvgPen(ruler: Pick<FlamePen, "font" | "measureText">): SvgPen {
  const parts: string[] = [];
  const fill = (): string => `fill="${escapeXml(String(pen.fillStyle))}"`;
  const pen: SvgPen = {
    fillStyle: "",
    font: "",
    textBaseline: "middle",
    direction: "ltr",
    setTransform() {},
    clearRect() {},
    measureText(text) {
      ruler.font = pen.font;
      return ruler.measureText(text);
    },
    fillRect(x, y, width, height) {
      parts.push(
        `<rect x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}" ${fill()}/>`,
      );
    },
    fillText(text, x, y, roomPx) {
      const squeeze =
        roomPx !== undefined && pen.measureText(text).width > roomPx
          ? ` textLength="${px(roomPx)}" lengthAdjust="spacingAndGlyphs"`
          : "";
      parts.push(
        `<text x="${px(x)}" y="${px(y)}" dominant-baseline="central" ${fill()} ${fontOf(pen.font)}${squeeze}>${escapeXml(text)}</text>`,
      );
    },
    print: (widthPx, heightPx) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${px(widthPx)}" height="${px(heightPx)}">${parts.join("")}</svg>`,
  };
  return pen;
}

const px = (value: number): number => Math.round(value * 100) / 100;

/** `11px ui-monospace, monospace` as attributes. */
function fontOf(font: string): string {
  const [, size = "", family = ""] = /^([\d.]+)px (.*)$/.exec(font) ?? [];
  return `font-size="${size}" font-family="${escapeXml(family)}"`;
}
