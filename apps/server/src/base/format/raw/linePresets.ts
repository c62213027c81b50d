import type { LinePattern, LineValues, Multiline } from "./lineValues.js";
import { accessLine } from "./preset/accessLine.js";
import { apacheErrorLine, nginxErrorLine } from "./preset/errorLine.js";
import { log4jLine } from "./preset/log4jLine.js";
import { logfmtLine } from "./preset/logfmtLine.js";
import { plainLine } from "./preset/plainLine.js";
import { syslogLine } from "./preset/syslogLine.js";

type Match = (line: string) => LineValues | null;

/** Our own expressions: each takes linear time, so that long lines do not matter. */
function preset(match: Match, multiline: Multiline, mayLackTime = false): LinePattern {
  return { match, multiline, mayLackTime, lineUnitsMax: Number.POSITIVE_INFINITY };
}

/** Patterns by name. */
export const linePresets: ReadonlyMap<string, LinePattern> = new Map([
  ["combined", preset(accessLine, "none")],
  ["common", preset(accessLine, "none")],
  ["syslog", preset(syslogLine, "indented")],
  ["log4j", preset(log4jLine, "unmatched")],
  ["logfmt", preset(logfmtLine, "none")],
  ["nginx-error", preset(nginxErrorLine, "indented")],
  ["apache-error", preset(apacheErrorLine, "indented")],
  ["plain", preset(plainLine, "indented", true)],
]);
