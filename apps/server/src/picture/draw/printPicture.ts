import { type DocumentImageFormat, HadalError } from "@hadal/sdk";
import { Resvg } from "@resvg/resvg-js";
import { picturePixelsMax } from "../pictureOrder.js";
import type { DrawnPicture } from "./drawnPicture.js";
import { fontFamily, fontFiles } from "./fonts.js";
import { printPdf } from "./printPdf.js";

/** The picture as a file of that format. */
export async function printPicture(
  picture: DrawnPicture,
  format: DocumentImageFormat,
  title: string,
): Promise<Uint8Array> {
  if (format === "svg") return new TextEncoder().encode(picture.svg);
  return format === "png" ? printPng(picture) : printPdf(picture, title);
}

function printPng({ svg, width, height }: DrawnPicture): Uint8Array {
  if (width * height > picturePixelsMax) {
    const detail = `The picture has ${width} × ${height} pixels; at most ${picturePixelsMax}. Ask for a smaller width, or for SVG or PDF.`;
    throw new HadalError("bad-request", { detail });
  }
  const resvg = new Resvg(svg, {
    font: {
      ...{ fontFiles: Object.values(fontFiles), loadSystemFonts: false },
      ...{ defaultFontFamily: fontFamily, sansSerifFamily: fontFamily },
    },
  });
  return resvg.render().asPng();
}
