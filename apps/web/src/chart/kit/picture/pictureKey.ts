import { formatMeasure } from "../../../format/value.js";
import type { ChartMeasure } from "../answer/series.js";
import type { AmountScale } from "../paint/amountScale.js";
import type { Shades } from "../paint/shade.js";

/** A colour, a ramp of colours or a kind of line, and what it means. */
export type PictureKey =
  | { readonly kind: "swatch"; readonly color: string; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "line"; readonly isDotted: boolean; readonly text: string }
  | {
      readonly kind: "ramp";
      readonly label: string;
      readonly low: string;
      readonly high: string;
      readonly colors: readonly string[];
    };

/** The key of one hue from small to large. */
export function amountKey(
  shades: Shades,
  scale: AmountScale,
  { label, measure }: ChartMeasure,
): PictureKey {
  return {
    kind: "ramp",
    label: scale.isLog ? `${label}, log scale` : label,
    colors: [0, 0.25, 0.5, 0.75, 1].map((share) => shades.amount(share)),
    low: formatMeasure(scale.low, measure),
    high: formatMeasure(scale.high, measure),
  };
}

/** The key of a comparison: blue is less, orange is more. */
export function differenceKey(shades: Shades, { gone }: { readonly gone: boolean }): PictureKey[] {
  return [
    {
      kind: "ramp",
      label: "A ÷ B",
      colors: [-1, -0.5, 0, 0.5, 1].map((tone) => shades.difference(tone)),
      low: gone ? "gone, ≤ ½" : "≤ ½",
      high: "≥ 2×, new",
    },
    { kind: "swatch", color: shades.difference(0), text: "alike, or within the error bars" },
  ];
}

export interface CellKeyParts {
  readonly label: string;
  /** The amount with the strongest colour, in words. */
  readonly top: string;
  /** With a comparison the last colour is of differences within the error bars. */
  readonly palette: readonly string[];
  readonly isTwoSided: boolean;
  readonly compared: boolean;
}

/** The key of cells whose colours are amounts, or differences. */
export function cellKey({ label, top, palette, isTwoSided, compared }: CellKeyParts): PictureKey[] {
  const [less, more] = compared ? [" less", " more"] : ["", ""];
  const noChange = palette.at(-1) ?? "";
  return [
    {
      kind: "ramp",
      label: compared ? `Δ ${label}` : label,
      low: isTwoSided ? `−${top}${less}` : "0",
      high: isTwoSided ? `+${top}${more}` : top,
      colors: isTwoSided ? palette.slice(0, -1) : palette,
    },
    ...(compared
      ? [{ kind: "swatch" as const, color: noChange, text: "within the error bars" }]
      : []),
  ];
}
