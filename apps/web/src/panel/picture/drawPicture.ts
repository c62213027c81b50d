import { drawPage, type PageDrawing } from "./drawPage.js";
import { create, squeezedText } from "./svgElements.js";

/** Height of a line of text above the answer. */
const linePx = 20;
const marginPx = 12;

/** What a picture is made of. */
export interface PicturedAnswer {
  /** The element with the answer; null: there is none. */
  readonly answer: HTMLElement | null;
  /** The element whose background and font the picture has. */
  readonly root: HTMLElement;
  /** Lines of text above the answer, the first one is its title. */
  readonly lines: readonly string[];
}

/** The answer on the screen as SVG, with lines of text above it; null when nothing is drawn. */
export async function drawSvg(pictured: PicturedAnswer): Promise<string | null> {
  const drawn = await drawAnswer(pictured);
  return drawn === null ? null : new XMLSerializer().serializeToString(drawn.root);
}

/** The same as PNG, at the resolution of the screen. */
export async function drawPng(pictured: PicturedAnswer): Promise<Blob | null> {
  const drawn = await drawAnswer(pictured);
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

async function drawAnswer(pictured: PicturedAnswer): Promise<PageDrawing | null> {
  const { answer, lines } = pictured;
  const page = answer === null ? null : await drawPage(answer);
  if (page === null) return null;
  const headPx = lines.length * linePx + marginPx;
  const [width, height] = [page.width + 2 * marginPx, page.height + headPx + marginPx];
  const root = create("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  const { backgroundColor, color, fontFamily } = getComputedStyle(pictured.root);
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
