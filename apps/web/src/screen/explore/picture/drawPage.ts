import { svgSourceOf } from "../../../chart/kit/svg/svgSource.js";
import { boxPaint } from "./boxPaint.js";
import { create, createText, measure, readSvg, type TextFont } from "./svgElements.js";

export interface PageDrawing {
  readonly root: SVGElement;
  readonly width: number;
  readonly height: number;
}

/** What of the page can be seen, from the corner of the picture. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Pen {
  readonly root: SVGElement;
  /** The picture's corner on the page. */
  readonly x: number;
  readonly y: number;
}

/** A part of the page as vectors, as it is on the screen: charts, texts, bars and lines. null: it shows nothing. */
export async function drawPage(host: HTMLElement): Promise<PageDrawing | null> {
  const area = host.getBoundingClientRect();
  const { width, height } = area;
  if (width === 0 || height === 0) return null;
  const root = create("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  await drawElement({ root, x: area.left, y: area.top }, host, area, 1);
  return root.childElementCount === 0 ? null : { root, width, height };
}

async function drawElement(pen: Pen, element: Element, clip: Box, opacity: number): Promise<void> {
  const style = getComputedStyle(element);
  if (style.display === "none" || style.visibility === "hidden") return;
  const place = element.getBoundingClientRect();
  const seen = within(place, clip);
  const strength = opacity * Number(style.opacity);
  const source = svgSourceOf(element);
  if (source !== undefined || element instanceof SVGSVGElement) {
    if (seen === null || element.closest("button, summary") !== null) return;
    const drawing =
      source === undefined ? copyOf(element as SVGSVGElement) : readSvg(await source());
    addClipped(pen, drawing, place, seen);
    return;
  }
  if (seen !== null) pen.root.append(...boxPaint(moved(pen, place), style, strength));
  const clips = style.overflow !== "visible" || style.clip !== "auto";
  const inner = clips ? seen : clip;
  // What is there for screen readers alone is one pixel large.
  if (inner === null || inner.right - inner.left < 2 || inner.bottom - inner.top < 2) return;
  for (const child of childrenByDepth(element)) {
    if (child instanceof Text) drawText(pen, child, { style, clip: inner, opacity: strength });
    else if (child instanceof Element) await drawElement(pen, child, inner, strength);
  }
}

/** What sticks to its place lies above what scrolls below it. */
function childrenByDepth(element: Element): readonly ChildNode[] {
  const sticks = (child: ChildNode) =>
    child instanceof Element && getComputedStyle(child).position === "sticky" ? 1 : 0;
  return [...element.childNodes].sort((a, b) => sticks(a) - sticks(b));
}

/** A drawing at its place, cut off where the page cuts it off. */
function addClipped(pen: Pen, drawing: SVGElement, place: DOMRect, seen: Box): void {
  const at = moved(pen, seen);
  const frame = create("svg", {
    ...{ x: at.left, y: at.top, width: at.right - at.left, height: at.bottom - at.top },
    viewBox: `${seen.left - place.left} ${seen.top - place.top} ${at.right - at.left} ${at.bottom - at.top}`,
  });
  drawing.setAttribute("width", String(place.width));
  drawing.setAttribute("height", String(place.height));
  frame.append(drawing);
  pen.root.append(frame);
}

interface TextLook {
  readonly style: CSSStyleDeclaration;
  readonly clip: Box;
  readonly opacity: number;
}

function drawText(pen: Pen, node: Text, { style, clip, opacity }: TextLook): void {
  if (node.data.trim() === "") return;
  const font: TextFont = {
    family: style.fontFamily,
    sizePx: Number.parseFloat(style.fontSize),
    weight: style.fontWeight,
  };
  for (const { text, place } of linesOf(node)) {
    const seen = within(place, clip);
    if (seen === null) continue;
    const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = measure(text, font);
    const shown = style.textTransform === "uppercase" ? text.toUpperCase() : text;
    const isCut = seen.right < place.right - 1 || seen.left > place.left + 1;
    const at = moved(pen, place);
    const baseline = at.top + (place.height + up - down) / 2;
    const element = createText(shown, { x: at.left, baseline }, font, style.color);
    if (opacity < 1) element.setAttribute("opacity", String(opacity));
    if (!isCut) {
      pen.root.append(element);
      continue;
    }
    const box = moved(pen, seen);
    const [width, height] = [box.right - box.left, box.bottom - box.top];
    const viewBox = `${box.left} ${box.top} ${width} ${height}`;
    const frame = create("svg", { x: box.left, y: box.top, width, height, viewBox });
    frame.append(element);
    pen.root.append(frame);
  }
}

/** The words of a text, or all of it where it stands in one line. */
function linesOf(node: Text): { readonly text: string; readonly place: DOMRect }[] {
  const range = document.createRange();
  const boxesOf = (pattern: RegExp) =>
    [...node.data.matchAll(pattern)].map(({ 0: text, index }) => {
      range.setStart(node, index);
      range.setEnd(node, index + text.length);
      return { text, places: [...range.getClientRects()] };
    });
  const whole = boxesOf(/\S(.*\S)?/gs);
  const parts = whole.some(({ places }) => places.length > 1) ? boxesOf(/\S+/g) : whole;
  return parts.flatMap(({ text, places: [place] }) =>
    place === undefined ? [] : [{ text, place }],
  );
}

/** A drawing takes its colours from the page's tokens: outside the page they must be written into it. */
function copyOf(drawing: SVGSVGElement): SVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const [own, copied] = [drawing, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  own?.forEach((element, i) => {
    const style = getComputedStyle(element);
    const { fill, stroke, opacity, textAnchor, strokeWidth, strokeDasharray } = style;
    const written = {
      ...{ fill, stroke, opacity, "text-anchor": textAnchor },
      ...{ "font-family": style.fontFamily, "font-size": style.fontSize },
      ...{ "stroke-width": strokeWidth, "stroke-dasharray": strokeDasharray },
      "vector-effect": style.vectorEffect,
    };
    for (const [name, value] of Object.entries(written)) copied?.[i]?.setAttribute(name, value);
    for (const name of ["class", "style"]) copied?.[i]?.removeAttribute(name);
  });
  return copy;
}

const moved = ({ x, y }: Pen, { left, top, right, bottom }: Box): Box => ({
  ...{ left: left - x, top: top - y, right: right - x, bottom: bottom - y },
});

function within(a: Box, b: Box): Box | null {
  const [left, top] = [Math.max(a.left, b.left), Math.max(a.top, b.top)];
  const [right, bottom] = [Math.min(a.right, b.right), Math.min(a.bottom, b.bottom)];
  return right > left && bottom > top ? { left, top, right, bottom } : null;
}
