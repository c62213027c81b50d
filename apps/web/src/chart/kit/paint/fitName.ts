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
  if (charsMax < 2) return "";
  const longest = shortenName(name, charsMax);
  if (widthOf(longest) <= roomPx) return longest;
  let fitting = "";
  // A name may be megabytes long: halving measures it a few times. A longer part of it is never narrower.
  let [least, most] = [2, Math.floor(charsMax) - 1];
  while (least <= most) {
    const chars = Math.floor((least + most) / 2);
    const text = shortenName(name, chars);
    if (widthOf(text) <= roomPx) [fitting, least] = [text, chars + 1];
    else most = chars - 1;
  }
  return fitting;
}
