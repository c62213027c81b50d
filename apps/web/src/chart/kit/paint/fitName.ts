import { format } from "echarts/core";
import { shortenName } from "../../../format/name.js";

/** Measures texts in a font of the page, as ECharts does when it draws them. */
export const textRuler =
  (fontPx: number, font: string) =>
  (text: string): number =>
    format.getTextRect(text, `${fontPx}px ${font}`).width;

/** A name cut to the letters that fit, up to a maximum; empty if none fit. */
export function fitName(
  name: string,
  charsMax: number,
  roomPx: number,
  widthOf: (text: string) => number,
): string {
  for (let chars = charsMax; chars > 1; chars--) {
    const text = shortenName(name, chars);
    if (widthOf(text) <= roomPx) return text;
  }
  return "";
}
