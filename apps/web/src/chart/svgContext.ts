import { escapeXml } from "./svgText.js";

/** What charts over time use of a canvas. */
export type PenContext = Pick<
  CanvasRenderingContext2D,
  | "fillStyle"
  | "strokeStyle"
  | "lineWidth"
  | "globalAlpha"
  | "font"
  | "textAlign"
  | "textBaseline"
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

export interface SvgContext extends PenContext {
  readonly print: (widthPx: number, heightPx: number) => string;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const anchors: Readonly<Partial<Record<CanvasTextAlign, string>>> = {
  center: "middle",
  right: "end",
  end: "end",
};
const baselines: Readonly<Partial<Record<CanvasTextBaseline, string>>> = {
  top: "text-before-edge",
  middle: "central",
  bottom: "text-after-edge",
};

/** A canvas that notes what is drawn as vectors. `ruler`: measures letters by a pen that knows the fonts. */
export function createSvgContext(ruler: Pick<PenContext, "font" | "measureText">): SvgContext {
  const parts: string[] = [];
  const saved: { readonly state: object; readonly depth: number }[] = [];
  let [path, dash, depth]: [string, readonly number[], number] = ["", [], 0];
  let box: Box | null = null;
  const add = (name: string, attributes: string, content = ""): void => {
    const alpha = context.globalAlpha === 1 ? "" : ` opacity="${context.globalAlpha}"`;
    parts.push(`<${name} ${attributes}${alpha}${content === "" ? "/>" : `>${content}</${name}>`}`);
  };
  const stroke = (): string =>
    `fill="none" ${paint("stroke", context.strokeStyle)} stroke-width="${px(context.lineWidth)}"` +
    (dash.length === 0 ? "" : ` stroke-dasharray="${dash.map(px).join(" ")}"`);
  const context: SvgContext = {
    ...{ fillStyle: "", strokeStyle: "", lineWidth: 1, globalAlpha: 1, font: "" },
    ...{ textAlign: "start", textBaseline: "alphabetic" },
    save() {
      const { fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, textBaseline } =
        context;
      const state = {
        fillStyle,
        strokeStyle,
        lineWidth,
        globalAlpha,
        font,
        textAlign,
        textBaseline,
      };
      saved.push({ state, depth });
    },
    restore() {
      const last = saved.pop();
      if (last === undefined) return;
      Object.assign(context, last.state);
      for (; depth > last.depth; depth--) parts.push("</svg>");
      dash = [];
    },
    beginPath() {
      [path, box] = ["", null];
    },
    closePath() {
      path += "Z";
    },
    moveTo(x, y) {
      path += `M${px(x)} ${px(y)}`;
    },
    lineTo(x, y) {
      path += `L${px(x)} ${px(y)}`;
    },
    rect(x, y, width, height) {
      box = { x, y, width, height };
      path += `M${px(x)} ${px(y)}h${px(width)}v${px(height)}h${px(-width)}Z`;
    },
    // A drawing within a drawing shows what lies in its box: clipping without a name that another might have.
    clip() {
      if (box === null) return;
      const [x, y, width, height] = [box.x, box.y, box.width, box.height].map(px);
      const place = `x="${x}" y="${y}" width="${width}" height="${height}"`;
      parts.push(`<svg ${place} viewBox="${x} ${y} ${width} ${height}">`);
      depth += 1;
    },
    fill: () => add("path", `d="${path}" ${paint("fill", context.fillStyle)}`),
    stroke: () => add("path", `d="${path}" ${stroke()}`),
    fillRect: (...place) => add("rect", `${rectOf(place)} ${paint("fill", context.fillStyle)}`),
    strokeRect: (...place) => add("rect", `${rectOf(place)} ${stroke()}`),
    fillText(text, x, y) {
      const [, size = "", family = ""] = /^([\d.]+)px (.*)$/.exec(context.font) ?? [];
      const anchor = anchors[context.textAlign];
      const baseline = baselines[context.textBaseline];
      const how =
        (anchor === undefined ? "" : ` text-anchor="${anchor}"`) +
        (baseline === undefined ? "" : ` dominant-baseline="${baseline}"`);
      const font = `font-size="${size}" font-family="${escapeXml(family)}"`;
      const fill = paint("fill", context.fillStyle);
      add("text", `x="${px(x)}" y="${px(y)}" ${fill} ${font}${how}`, escapeXml(text));
    },
    measureText(text) {
      ruler.font = context.font;
      return ruler.measureText(text);
    },
    setLineDash(pattern) {
      dash = [...pattern];
    },
    print: (width, height) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${px(width)}" height="${px(height)}">${parts.join("")}</svg>`,
  };
  return context;
}

const px = (value: number): number => Math.round(value * 100) / 100;

const rectOf = (place: readonly [number, number, number, number]): string => {
  const [x, y, width, height] = place.map(px);
  return `x="${x}" y="${y}" width="${width}" height="${height}"`;
};

/** Programs that read pictures know no mixing of colours: what is mixed with nothing is a colour and its opacity. */
function paint(name: "fill" | "stroke", style: PenContext["fillStyle"]): string {
  const text = String(style);
  const [, color, percent] = /^color-mix\(in srgb, (.*) ([\d.]+)%, transparent\)$/.exec(text) ?? [];
  if (color === undefined) return `${name}="${escapeXml(text)}"`;
  return `${name}="${escapeXml(color)}" ${name}-opacity="${Number(percent) / 100}"`;
}
