import type { AlertRule } from "@hadal/sdk";
import { stateOfTile } from "../../draft/tile/stateOfTile.js";
import { printUrl } from "../../draft/url/url.js";
import { windowMsOf } from "../../panel/alert/alertForm.js";

const hourMs = 3_600_000;
/** What the windows that fired are compared with: so many times their length, and at least six hours. */
const contextTimes = 12;
const contextMsMin = 6 * hourMs;

/** What has changed between the windows that fired and the time before, in Explore, with fixed times. */
export function whyUrl({ query, forTimes = 1 }: AlertRule, firedMs: number): string {
  const windowMs = windowMsOf(query);
  const part = { fromMs: firedMs - windowMs * forTimes, toMs: firedMs };
  const contextMs = Math.max(contextMsMin, contextTimes * windowMs * forTimes);
  const state = stateOfTile({ query, view: "changes" });
  const [from, to] = [String(part.fromMs - contextMs), String(part.toMs)];
  return `/explore?${printUrl({ ...state, from, to, part, live: false })}`;
}

/** Windows that a chart shows, the one that ends then as the last. */
const windowsShown = 12;

/** The query of a rule over time in Explore, with fixed times. */
export function chartUrl({ query }: AlertRule, toMs: number): string {
  const state = stateOfTile({ query, view: "timeseries" });
  const fromMs = toMs - windowsShown * windowMsOf(query);
  return `/explore?${printUrl({ ...state, from: String(fromMs), to: String(toMs), live: false })}`;
}
