import { type LineValues, valuesOf } from "../lineValues.js";

const nginx =
  /^(?<time>\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d) \[(?<level>\w+)\] (?<pid>\d+)#(?<tid>\d+): (?:\*(?<connection>\d+) )?(?<message>.*)$/s;
const apache =
  /^\[(?<time>[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)? \d{4})\] \[(?:(?<module>[^\]:]+):)?(?<level>\w+)\] (?:\[pid (?<pid>\d+)(?::tid (?<tid>\d+))?\] )?(?:\[client (?<client>[^\]]+)\] )?(?<message>.*)$/s;

/** The error log of nginx. */
export function nginxErrorLine(text: string): LineValues | null {
  const match = nginx.exec(text);
  return match && valuesOf(match.groups, ["pid", "tid", "connection"]);
}

/** The error log of Apache httpd. */
export function apacheErrorLine(text: string): LineValues | null {
  const match = apache.exec(text);
  return match && valuesOf(match.groups, ["pid", "tid"]);
}
