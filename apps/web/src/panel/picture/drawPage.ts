import { svgSourceOf } from "../../chart/kit/svg/svgSource.js";
import { boxPaint } from "./boxPaint.js";
import { create, createText, measure, readSvg, type TextFont } from "./svgElements.js";

export interface PageDrawing {
  readonly root: SVGElement;
  readonly width: number;
  readonly height: number;
}

/** A rectangle in pixels. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Target {
  readonly root: SVGElement;
  /** The picture's corner on the page. */
  readonly x: number;
  readonly y: number;
}

/** A part of the page as vectors: charts, texts, bars and lines. null: it shows nothing. */
export async function drawPage(host: HTMLElement): Promise<PageDrawing | null> {
  const area = host.getBoundingClientRect();
  const { width, height } = area;
  if (width === 0 || height === 0) return null;
  const root = create("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  await drawElement({ root, x: area.left, y: area.top }, host, area, 1);
  return root.childElementCount === 0 ? null : { root, width, height };
}

async function drawElement(
  target: Target,
  element: Element,
  clip: Box,
  opacity: number,
): Promise<void> {
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
    addClipped(target, drawing, place, seen);
    return;
  }
  if (seen !== null) target.root.append(...boxPaint(moved(target, place), style, strength));
  const clips = style.overflow !== "visible" || style.clip !== "auto";
  const inner = clips ? seen : clip;
  // Elements for screen readers only are one pixel large.
  if (inner === null || inner.right - inner.left < 2 || inner.bottom - inner.top < 2) return;
  for (const child of childrenByDepth(element)) {
    if (child instanceof Text) drawText(target, child, { style, clip: inner, opacity: strength });
    else if (child instanceof Element) await drawElement(target, child, inner, strength);
  }
}

/** Sticky elements are drawn last, above those that scroll below them. */
function childrenByDepth(element: Element): readonly ChildNode[] {
  const sticks = (child: ChildNode) =>
    child instanceof Element && getComputedStyle(child).position === "sticky" ? 1 : 0;
  return [...element.childNodes].sort((a, b) => sticks(a) - sticks(b));
}

/** Adds a drawing at its place, clipped as on the page. */
function addClipped(target: Target, drawing: SVGElement, place: DOMRect, seen: Box): void {
  const at = moved(target, seen);
  const frame = create("svg", {
    ...{ x: at.left, y: at.top, width: at.right - at.left, height: at.bottom - at.top },
    viewBox: `${seen.left - place.left} ${seen.top - place.top} ${at.right - at.left} ${at.bottom - at.top}`,
  });
  drawing.setAttribute("width", String(place.width));
  drawing.setAttribute("height", String(place.height));
  frame.append(drawing);
  target.root.append(frame);
}

interface TextLook {
  readonly style: CSSStyleDeclaration;
  readonly clip: Box;
  readonly opacity: number;
}

function drawText(target: Target, node: Text, { style, clip, opacity }: TextLook): void {
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
    const at = moved(target, place);
    const baseline = at.top + (place.height + up - down) / 2;
    const element = createText(shown, { x: at.left, baseline }, font, style.color);
    if (opacity < 1) element.setAttribute("opacity", String(opacity));
    if (!isCut) {
      target.root.append(element);
      continue;
    }
    const box = moved(target, seen);
    const [width, height] = [box.right - box.left, box.bottom - box.top];
    const viewBox = `${box.left} ${box.top} ${width} ${height}`;
    const frame = create("svg", { x: box.left, y: box.top, width, height, viewBox });
    frame.append(element);
    target.root.append(frame);
  }
}

/** The whole text when it fits on one line, else its words. */
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

/** A copy with computed styles: outside the page the style tokens do not exist. */
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

const moved = ({ x, y }: Target, { left, top, right, bottom }: Box): Box => ({
  ...{ left: left - x, top: top - y, right: right - x, bottom: bottom - y },
});

function within(a: Box, b: Box): Box | null {
  const [left, top] = [Math.max(a.left, b.left), Math.max(a.top, b.top)];
  const [right, bottom] = [Math.min(a.right, b.right), Math.min(a.bottom, b.bottom)];
  return right > left && bottom > top ? { left, top, right, bottom } : null;
}
