import { otherHue, tokenOf } from "../chart/kit/paint/color.js";
import type { ChartTheme } from "../chart/kit/paint/theme.js";
import tokens from "../ui/tokens.css?raw";

export type ThemeName = "light" | "dark";

/** The font that the server has; programs that show an SVG may have another. */
const font = "Inter, 'Segoe UI', Helvetica, Arial, sans-serif";

/** `--ink: var(--hadal-text, light-dark(#16202a, #e6edf3));`, or without the variable that a host may set. */
const pair = /--([\w-]+):\s*(?:var\(--[\w-]+,\s*)?light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/g;

const colors = new Map(
  [...tokens.matchAll(pair)].map(([, name = "", light = "", dark = ""]) => [name, { light, dark }]),
);

/** The page's tokens, read from its style sheet. */
export function pictureTheme(name: ThemeName): ChartTheme {
  const token = (of: string): string => {
    const found = colors.get(of);
    if (found === undefined) throw new Error(`tokens.css has no colour ${of}`);
    return found[name];
  };
  return {
    ...{ ink: token("ink"), quiet: token("quiet"), hairline: token("hairline") },
    ...{ edge: token("edge"), ground: token("ground"), sunken: token("sunken") },
    ...{ accent: token("accent"), less: token("less"), more: token("more") },
    ...{ good: token("good"), warn: token("warn"), bad: token("bad") },
    series: Array.from({ length: otherHue + 1 }, (_, hue) => token(tokenOf(hue))),
    ...{ font, mono: font },
  };
}
