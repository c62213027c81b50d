/** Room for the lines of text above the chart. */
const linePx = 20;
const marginPx = 12;

/** The chart on the screen as a PNG, with lines of text above it; null where the view has no chart. */
export async function drawPicture(lines: readonly string[]): Promise<Blob | null> {
  const host = document.querySelector('[data-testid="result"]');
  const parts = Array.from(host?.querySelectorAll<DrawnPart>("canvas, svg:not(button svg)") ?? []);
  const shown = parts
    .map((part) => ({ part, box: part.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 40 && box.height > 40);
  if (host === null || shown.length === 0) return null;
  const [left, top] = [
    Math.min(...shown.map(({ box }) => box.left)),
    Math.min(...shown.map(({ box }) => box.top)),
  ];
  const width = Math.max(...shown.map(({ box }) => box.right)) - left + 2 * marginPx;
  const headPx = lines.length * linePx + marginPx;
  const height = Math.max(...shown.map(({ box }) => box.bottom)) - top + headPx + 2 * marginPx;
  const picture = document.createElement("canvas");
  [picture.width, picture.height] = [width, height].map((px) =>
    Math.ceil(px * devicePixelRatio),
  ) as [number, number];
  const pen = picture.getContext("2d");
  if (pen === null) return null;
  pen.scale(devicePixelRatio, devicePixelRatio);
  const { backgroundColor, color, fontFamily } = getComputedStyle(document.body);
  pen.fillStyle = backgroundColor;
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = color;
  lines.forEach((line, i) => {
    pen.font = `${i === 0 ? 600 : 400} 12px ${fontFamily}`;
    pen.fillText(line, marginPx, marginPx + (i + 0.7) * linePx, width - 2 * marginPx);
  });
  for (const { part, box } of shown) {
    const image = part instanceof HTMLCanvasElement ? part : await imageOf(part, box);
    const [x, y] = [box.left - left + marginPx, box.top - top + marginPx + headPx];
    pen.drawImage(image, x, y, box.width, box.height);
  }
  return new Promise((resolve) => picture.toBlob(resolve, "image/png"));
}

type DrawnPart = HTMLCanvasElement | SVGSVGElement;

/** A drawing takes its colours from the page's tokens: outside the page they must be written into it. */
async function imageOf(drawing: SVGSVGElement, box: DOMRect): Promise<HTMLImageElement> {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(box.width));
  copy.setAttribute("height", String(box.height));
  const [own, copied] = [drawing, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  own?.forEach((element, i) => {
    const { fill, stroke, strokeWidth, opacity, font, textAnchor } = getComputedStyle(element);
    const style = {
      fill,
      stroke,
      "stroke-width": strokeWidth,
      opacity,
      font,
      "text-anchor": textAnchor,
    };
    for (const [name, value] of Object.entries(style)) copied?.[i]?.setAttribute(name, value);
    copied?.[i]?.removeAttribute("class");
  });
  const image = new Image();
  const text = new XMLSerializer().serializeToString(copy);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  return image;
}
