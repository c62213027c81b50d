import { escapeXml } from "./svgText.js";

/** The parts of a canvas context that our own charts use. */
export type PenContext = PenState &
  Pick<
    CanvasRenderingContext2D,
    | "setTransform"
    | "clearRect"
    | "save"
    | "restore"
    | "beginPath"
    | "closePath"
    | "moveTo"
    | "lineTo"
    | "rect"
    | "clip"
    | "fill"
    | "stroke"
    | "fillRect"
    | "strokeRect"
    | "fillText"
    | "measureText"
    | "setLineDash"
  >;

/** The state of `save` and `restore`. */
type PenState = Pick<
  CanvasRenderingContext2D,
  | "fillStyle"
  | "strokeStyle"
  | "lineWidth"
  | "globalAlpha"
  | "font"
  | "textAlign"
  | "textBaseline"
  | "direction"
>;

export interface SvgContext extends PenContext {
  /** A whole circle. */
  readonly dot: (x: number, y: number, radius: number) => void;
  /** Puts another SVG document at a place. */
  readonly embed: (svg: string, x: number, y: number) => void;
  readonly print: (widthPx: number, heightPx: number) => string;
}

/** Measures texts in a font such as `12px Inter` or `600 12px Inter`. */
export type Ruler = Pick<PenContext, "font" | "measureText">;

/** A canvas context that writes SVG. `ruler`: a real context, which measures text. */
export const createSvgContext = (ruler: Ruler): SvgContext => new VectorContext(ruler);

type Box = readonly [x: number, y: number, width: number, height: number];

class VectorContext implements SvgContext {
  fillStyle: PenState["fillStyle"] = "";
  strokeStyle: PenState["strokeStyle"] = "";
  lineWidth = 1;
  globalAlpha = 1;
  font = "";
  textAlign: CanvasTextAlign = "start";
  textBaseline: CanvasTextBaseline = "alphabetic";
  direction: CanvasDirection = "ltr";
  readonly #parts: string[] = [];
  readonly #saved: { readonly state: PenState; readonly depth: number }[] = [];
  /** Number of open clip boxes. */
  #depth = 0;
  #path = "";
  #dash: readonly number[] = [];
  #box: Box | null = null;

  readonly #ruler: Ruler;

  constructor(ruler: Ruler) {
    this.#ruler = ruler;
  }

  // The device pixel ratio does not apply to SVG.
  setTransform(): void {}
  clearRect(): void {}

  save(): void {
    const { fillStyle, strokeStyle, lineWidth, globalAlpha } = this;
    const { font, textAlign, textBaseline, direction } = this;
    const drawn = { fillStyle, strokeStyle, lineWidth, globalAlpha };
    const written = { font, textAlign, textBaseline, direction };
    this.#saved.push({ state: { ...drawn, ...written }, depth: this.#depth });
  }

  restore(): void {
    const last = this.#saved.pop();
    if (last === undefined) return;
    Object.assign(this, last.state);
    for (; this.#depth > last.depth; this.#depth--) this.#parts.push("</svg>");
    this.#dash = [];
  }

  beginPath(): void {
    this.#path = "";
    this.#box = null;
  }

  closePath(): void {
    this.#path += "Z";
  }

  moveTo(x: number, y: number): void {
    this.#path += `M${px(x)} ${px(y)}`;
  }

  lineTo(x: number, y: number): void {
    this.#path += `L${px(x)} ${px(y)}`;
  }

  rect(...box: Box): void {
    const [x, y, width, height] = box.map(px);
    this.#box = box;
    this.#path += `M${x} ${y}h${width}v${height}h${-(width ?? 0)}Z`;
  }

  /** A nested `<svg>` clips to its box: a clip path would need a unique id. */
  clip(): void {
    if (this.#box === null) return;
    this.#parts.push(`<svg ${boxOf(this.#box)} viewBox="${this.#box.map(px).join(" ")}">`);
    this.#depth += 1;
  }

  fill(): void {
    this.#add("path", `d="${this.#path}" ${paint("fill", this.fillStyle)}`);
  }

  stroke(): void {
    this.#add("path", `d="${this.#path}" ${this.#stroke()}`);
  }

  fillRect(...box: Box): void {
    this.#add("rect", `${boxOf(box)} ${paint("fill", this.fillStyle)}`);
  }

  strokeRect(...box: Box): void {
    this.#add("rect", `${boxOf(box)} ${this.#stroke()}`);
  }

  dot(x: number, y: number, radius: number): void {
    const place = `cx="${px(x)}" cy="${px(y)}" r="${px(radius)}"`;
    this.#add("circle", `${place} ${paint("fill", this.fillStyle)}`);
  }

  embed(svg: string, x: number, y: number): void {
    this.#parts.push(svg.replace("<svg ", `<svg x="${px(x)}" y="${px(y)}" `));
  }

  fillText(text: string, x: number, y: number, roomPx?: number): void {
    const [, weight, size = "", family = ""] = /^(?:(\d+) )?([\d.]+)px (.*)$/.exec(this.font) ?? [];
    const isWide = roomPx !== undefined && this.measureText(text).width > roomPx;
    const attributes = [
      `x="${px(x)}" y="${px(y)}" ${paint("fill", this.fillStyle)}`,
      `font-size="${size}" font-family="${escapeXml(family)}"`,
      weight === undefined ? "" : `font-weight="${weight}"`,
      anchors[this.textAlign] ?? "",
      baselines[this.textBaseline] ?? "",
      isWide ? `textLength="${px(roomPx)}" lengthAdjust="spacingAndGlyphs"` : "",
    ];
    this.#add("text", attributes.filter((one) => one !== "").join(" "), escapeXml(text));
  }

  measureText(text: string): TextMetrics {
    this.#ruler.font = this.font;
    return this.#ruler.measureText(text);
  }

  setLineDash(pattern: Iterable<number>): void {
    this.#dash = [...pattern];
  }

  print(width: number, height: number): string {
    const size = `width="${px(width)}" height="${px(height)}"`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${this.#parts.join("")}</svg>`;
  }

  #add(name: string, attributes: string, content = ""): void {
    const alpha = this.globalAlpha === 1 ? "" : ` opacity="${this.globalAlpha}"`;
    const end = content === "" ? "/>" : `>${content}</${name}>`;
    this.#parts.push(`<${name} ${attributes}${alpha}${end}`);
  }

  #stroke(): string {
    const dash =
      this.#dash.length === 0 ? "" : ` stroke-dasharray="${this.#dash.map(px).join(" ")}"`;
    const color = paint("stroke", this.strokeStyle);
    return `fill="none" ${color} stroke-width="${px(this.lineWidth)}"${dash}`;
  }
}

const anchors: Readonly<Partial<Record<CanvasTextAlign, string>>> = {
  center: `text-anchor="middle"`,
  right: `text-anchor="end"`,
};
const baselines: Readonly<Partial<Record<CanvasTextBaseline, string>>> = {
  top: `dominant-baseline="text-before-edge"`,
  middle: `dominant-baseline="central"`,
  bottom: `dominant-baseline="text-after-edge"`,
};

const px = (value: number): number => Math.round(value * 100) / 100;

function boxOf(box: Box): string {
  const [x, y, width, height] = box.map(px);
  return `x="${x}" y="${y}" width="${width}" height="${height}"`;
}

/** Picture editors do not support `color-mix`: a mix with `transparent` becomes a colour and an opacity. */
function paint(name: "fill" | "stroke", style: PenState["fillStyle"]): string {
  const text = String(style);
  const [, color, percent] = /^color-mix\(in srgb, (.*) ([\d.]+)%, transparent\)$/.exec(text) ?? [];
  if (color === undefined) return `${name}="${escapeXml(text)}"`;
  return `${name}="${escapeXml(color)}" ${name}-opacity="${Number(percent) / 100}"`;
}
