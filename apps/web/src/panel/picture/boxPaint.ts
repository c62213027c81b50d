import { create } from "./svgElements.js";

interface Place {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const clear = "rgba(0, 0, 0, 0)";

let gradients = 0;

/** Background and borders of a box of the page. */
export function boxPaint(place: Place, style: CSSStyleDeclaration, opacity: number): SVGElement[] {
  const { left: x, top: y, right, bottom } = place;
  const [width, height] = [right - x, bottom - y];
  const shape = { x, y, width, height, rx: Number.parseFloat(style.borderRadius) || 0, opacity };
  const parts: SVGElement[] = [];
  if (style.backgroundColor !== clear) {
    parts.push(create("rect", { ...shape, fill: style.backgroundColor }));
  }
  const gradient = gradientOf(style.backgroundImage);
  if (gradient !== null) {
    parts.push(gradient, create("rect", { ...shape, fill: `url(#${gradient.id})` }));
  }
  const sides = [
    { side: "Top", x1: x, y1: y, x2: right, y2: y },
    { side: "Bottom", x1: x, y1: bottom, x2: right, y2: bottom },
    { side: "Left", x1: x, y1: y, x2: x, y2: bottom },
    { side: "Right", x1: right, y1: y, x2: right, y2: bottom },
  ] as const;
  for (const { side, ...line } of sides) {
    const [strokeWidth, stroke] = [
      Number.parseFloat(style[`border${side}Width`]),
      style[`border${side}Color`],
    ];
    if (strokeWidth === 0 || style[`border${side}Style`] === "none" || stroke === clear) continue;
    parts.push(create("line", { ...line, stroke, "stroke-width": strokeWidth, opacity }));
  }
  return parts;
}

/** The page has only left-to-right gradients: its color scales. */
function gradientOf(image: string): SVGElement | null {
  if (!image.startsWith("linear-gradient(90deg") && !image.startsWith("linear-gradient(to right")) {
    return null;
  }
  const colors = image.match(/(rgba?|color)\([^)]*\)/g) ?? [];
  const id = `gradient-${++gradients}`;
  const gradient = create("linearGradient", { id });
  colors.forEach((color, i) => {
    const offset = colors.length < 2 ? 0 : i / (colors.length - 1);
    gradient.append(create("stop", { offset, "stop-color": color }));
  });
  return gradient;
}
