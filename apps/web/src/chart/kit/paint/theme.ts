import { otherHue, tokenOf } from "./color.js";

/** The current values of the tokens that charts draw with. */
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

/** A canvas cannot use CSS variables: their values are read here, again after each change of the theme. */
export function readChartTheme(root: HTMLElement): ChartTheme {
  // A token may be `light-dark(…)`; only a property of an element says which of the two it is.
  const probe = document.createElement("span");
  // With forced colours all lines would have the same colour.
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
    font: family(getComputedStyle(root).fontFamily),
    mono: family(getComputedStyle(root).getPropertyValue("--mono")),
  };
  probe.remove();
  return theme;
}

/** Font names in single quotes: ECharts puts them into a double-quoted attribute. */
const family = (names: string): string => names.replaceAll('"', "'");
