import type { AlertHealth } from "@hadal/sdk";
import { formatMs } from "../../format/duration.js";

/** Why what is shown may be old; null: rules are evaluated in time. */
export function behindText({ behind, lagMs, leader }: AlertHealth): string | null {
  if (behind === 0) return null;
  const rules = behind === 1 ? "1 rule is" : `${behind} rules are`;
  const why = leader ? "" : " No gateway evaluates rules now.";
  return `Alerting is behind: ${rules} overdue, the longest by ${formatMs(lagMs)}.${why}`;
}
