import { drawPage, type PageDrawing } from "./drawPage.js";
import { create, squeezedText } from "./svgElements.js";

/** Room for the lines of text above the answer. */
const linePx = 20;
const marginPx = 12;

/** The answer on the screen in vectors, with lines of text above it; null where nothing is drawn. */
export async function drawSvg(lines: readonly string[]): Promise<string | null> {
  const drawn = await drawAnswer(lines);
  return drawn === null ? null : new XMLSerializer().serializeToString(drawn.root);
}

/** The same in pixels, as many as the screen has. */
export async function drawPng(lines: readonly string[]): Promise<Blob | null> {
  const drawn = await drawAnswer(lines);
  if (drawn === null) return null;
  const { root, width, height } = drawn;
  const image = new Image();
  const text = new XMLSerializer().serializeToString(root);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const picture = document.createElement("canvas");
  picture.width = Math.ceil(width * devicePixelRatio);
  picture.height = Math.ceil(height * devicePixelRatio);
  picture.getContext("2d")?.drawImage(image, 0, 0, picture.width, picture.height);
  return new Promise((resolve) => picture.toBlob(resolve, "image/png"));
}

async function drawAnswer(lines: readonly string[]): Promise<PageDrawing | null> {
  const host = document.querySelector<HTMLElement>('[data-testid="result"]');
  const page = host === null ? null : await drawPage(host);
  if (page === null) return null;
  const headPx = lines.length * linePx + marginPx;
  const [width, height] = [page.width + 2 * marginPx, page.height + headPx + marginPx];
  const root = create("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  const { backgroundColor, color, fontFamily } = getComputedStyle(document.body);
  root.append(create("rect", { width, height, fill: backgroundColor }));
  lines.forEach((line, i) => {
    const font = { family: fontFamily, sizePx: 12, weight: i === 0 ? "600" : "400" };
    const place = { x: marginPx, baseline: marginPx + (i + 0.6) * linePx };
    root.append(squeezedText(line, { place, font, fill: color, roomPx: width - 2 * marginPx }));
  });
  page.root.setAttribute("x", String(marginPx));
  page.root.setAttribute("y", String(headPx));
  root.append(page.root);
  return { root, width, height };
}
