import { otherHue, tokenOf } from "./color.js";

/** The tokens that charts draw with, as the page has them now. */
export interface ChartTheme {
  readonly ink: string;
  readonly quiet: string;
  readonly hairline: string;
  readonly edge: string;
  readonly ground: string;
  readonly sunken: string;
  readonly accent: string;
  /** Differences: side A has less, side A has more. */
  readonly less: string;
  readonly more: string;
  readonly good: string;
  readonly warn: string;
  readonly bad: string;
  /** By hue; the last is {@link otherHue}. */
  readonly series: readonly string[];
  readonly font: string;
  /** For values and stacks. */
  readonly mono: string;
}

/** Canvas knows no CSS variables: they are read here, anew after every change of the theme. */
export function readChartTheme(root: HTMLElement): ChartTheme {
  // A token may be `light-dark(…)`; only a property of an element says which of the two it is.
  const probe = document.createElement("span");
  // Where colours are forced to the reader's own, lines would all have one.
  probe.style.setProperty("forced-color-adjust", "none");
  root.append(probe);
  const token = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const theme: ChartTheme = {
    ink: token("ink"),
    quiet: token("quiet"),
    hairline: token("hairline"),
    edge: token("edge"),
    ground: token("ground"),
    sunken: token("sunken"),
    accent: token("accent"),
    less: token("less"),
    more: token("more"),
    good: token("good"),
    warn: token("warn"),
    bad: token("bad"),
    series: Array.from({ length: otherHue + 1 }, (_, hue) => token(tokenOf(hue))),
    font: family(getComputedStyle(document.body).fontFamily),
    mono: family(getComputedStyle(document.body).getPropertyValue("--mono")),
  };
  probe.remove();
  return theme;
}

/** Names of fonts in single quotes: ECharts writes them between double ones. */
const family = (names: string): string => names.replaceAll('"', "'");
