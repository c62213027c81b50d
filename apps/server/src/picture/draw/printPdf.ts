import PdfDocument from "pdfkit";
import printSvg from "svg-to-pdfkit";
import type { DrawnPicture } from "./drawnPicture.js";
import { fontFiles } from "./fonts.js";

/** Of a pixel of CSS. */
const points = 0.75;
/** PDF allows no longer pages. */
const pageMax = 14_400;

/** One page of the picture's own size. */
export async function printPdf(
  { svg, width, height }: DrawnPicture,
  title: string,
): Promise<Uint8Array> {
  const scale = Math.min(points, pageMax / Math.max(width, height));
  const size: [number, number] = [width * scale, height * scale];
  const pdf = new PdfDocument({ size, margin: 0, info: { Title: title, Producer: "Hadal" } });
  const parts: Uint8Array[] = [];
  const written = new Promise<Uint8Array>((resolve, reject) => {
    pdf.on("data", (part: Uint8Array) => parts.push(part));
    pdf.on("end", () => resolve(Buffer.concat(parts)));
    pdf.on("error", reject);
  });
  pdf.registerFont("regular", fontFiles.regular);
  pdf.registerFont("bold", fontFiles.bold);
  printSvg(pdf, svg, 0, 0, {
    ...{ width: size[0], height: size[1], assumePt: true, preserveAspectRatio: "xMinYMin meet" },
    fontCallback: (_family, isBold) => (isBold ? "bold" : "regular"),
    // What a picture refers to outside itself is never loaded.
    imageCallback: () => "",
    warningCallback: () => undefined,
  });
  pdf.end();
  return written;
}
