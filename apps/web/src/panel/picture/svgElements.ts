import { speakableText } from "../../chart/kit/svg/svgText.js";

const namespace = "http://www.w3.org/2000/svg";

type Attributes = Readonly<Record<string, string | number>>;

/** Creates an SVG element. Values become attributes, so nothing is parsed as markup. */
export function create(name: string, attributes: Attributes): SVGElement {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, typeof value === "number" ? String(px(value)) : value);
  }
  return element;
}

const px = (value: number): number => Math.round(value * 100) / 100;

export interface TextFont {
  readonly family: string;
  readonly sizePx: number;
  readonly weight: string;
}

export interface TextPlace {
  readonly x: number;
  readonly baseline: number;
}

export function createText(
  text: string,
  { x, baseline }: TextPlace,
  { family, sizePx, weight }: TextFont,
  fill: string,
): SVGElement {
  const element = create("text", {
    ...{ x, y: baseline, fill, "font-family": family, "font-size": sizePx, "font-weight": weight },
    // Digits align in columns, as on the page.
    "font-variant": "tabular-nums",
  });
  element.textContent = speakableText(text);
  return element;
}

/** Position, font, color and maximum width of a text. */
export interface TextStyle {
  readonly place: TextPlace;
  readonly font: TextFont;
  readonly fill: string;
  readonly roomPx: number;
}

/** A text that is compressed to fit its width. */
export function squeezedText(text: string, { place, font, fill, roomPx }: TextStyle): SVGElement {
  const element = createText(text, place, font, fill);
  if (measure(text, font).width > roomPx) {
    element.setAttribute("textLength", String(px(roomPx)));
    element.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  return element;
}

let ruler: CanvasRenderingContext2D | null = null;

export function measure(text: string, { family, sizePx, weight }: TextFont): TextMetrics {
  ruler ??= document.createElement("canvas").getContext("2d");
  if (ruler === null) throw new Error("this browser has no canvas to measure text");
  ruler.font = `${weight} ${sizePx}px ${family}`;
  return ruler.measureText(text);
}

/** Parses an SVG document, without scripts and without references to other documents. */
export function readSvg(text: string): SVGElement {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed.localName !== "svg") throw new Error("a chart drew no SVG");
  for (const element of [parsed, ...parsed.querySelectorAll("*")]) {
    if (/^(script|foreignObject|a|use|animate.*|set)$/i.test(element.localName)) element.remove();
    for (const { name, value } of [...element.attributes]) {
      const isOwn = /^(#|data:image\/)/.test(value);
      if (/^on/i.test(name) || (/href$/i.test(name) && !isOwn)) element.removeAttribute(name);
    }
  }
  return document.importNode(parsed, true) as unknown as SVGElement;
}
