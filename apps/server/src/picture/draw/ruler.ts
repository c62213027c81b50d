import { type Font, openSync } from "fontkit";
import { boldFrom, fontFiles } from "./fonts.js";

/** Measures texts as the drawing library does: `font` is that of a canvas, such as `600 12px Inter`. */
export interface Ruler {
  font: string;
  measureText(text: string): { readonly width: number };
}

const sizeDefault = 12;

export function createRuler(): Ruler {
  const regular = letterWidths(fontFiles.regular);
  const bold = letterWidths(fontFiles.bold);
  return {
    font: "",
    measureText(text) {
      const [, weight = "", size = sizeDefault] =
        /(?:\b(bold|\d{3})\s+)?([\d.]+)px/.exec(this.font) ?? [];
      const isBold = weight === "bold" || Number(weight) >= boldFrom;
      const widthOf = isBold ? bold : regular;
      let width = 0;
      for (const letter of text) width += widthOf(letter);
      return { width: width * Number(size) };
    },
  };
}

/** Widths for one pixel of font size. */
function letterWidths(file: string): (letter: string) => number {
  const font = openSync(file) as Font;
  const known = new Map<string, number>();
  return (letter) => {
    const found = known.get(letter);
    if (found !== undefined) return found;
    const { advanceWidth } = font.glyphForCodePoint(letter.codePointAt(0) ?? 0);
    const width = advanceWidth / font.unitsPerEm;
    known.set(letter, width);
    return width;
  };
}
