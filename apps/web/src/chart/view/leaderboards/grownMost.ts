import { asNumber } from "../../kit/answer/series.js";
import type { GroupTotal } from "../../kit/answer/totals.js";
import type { Whole } from "../../kit/answer/whole.js";

/** What a board shows. */
const linesMax = 8;

/** Whether all rows together became fewer: then what shrank less than the rest has grown as a share. */
export function isByShare(whole: Whole | null): boolean {
  const [now, was] = [asNumber(whole?.now ?? null), asNumber(whole?.was ?? null)];
  return now !== null && was !== null && now > 0 && now < was;
}

/** The values that grew most; where the whole fell, those whose share of it did. */
export function grownMost(totals: readonly GroupTotal[], whole: Whole | null): GroupTotal[] {
  const byShare = isByShare(whole);
  const [now, was] = [asNumber(whole?.now ?? null) ?? 1, asNumber(whole?.was ?? null) ?? 1];
  const growth = ({ values, compare }: GroupTotal): number => {
    const [value, base] = [asNumber(values[0] ?? null) ?? 0, asNumber(compare[0] ?? null) ?? 0];
    return byShare ? value / now - base / was : value - base;
  };
  return [...totals].sort((a, b) => growth(b) - growth(a)).slice(0, linesMax);
}
