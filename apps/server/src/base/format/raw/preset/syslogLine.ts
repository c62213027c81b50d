import { LineNumber, type LineValues, valuesOf } from "../lineValues.js";

const priority = /(?:<(?<priority>\d{1,3})>)?/.source;
const time =
  /(?<time>[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d))/
    .source;
/** RFC 3164, and what rsyslog writes into files. */
const old = new RegExp(
  `^${priority}${time} (?<host>\\S+) (?:(?<program>[^\\s:\\[]+)(?:\\[(?<pid>\\d+)\\])?: ?)?(?<message>.*)$`,
  "s",
);
/** RFC 5424. */
const modern =
  /^<(?<priority>\d{1,3})>1 (?<time>\S+) (?<host>\S+) (?<program>\S+) (?<pid>\S+) (?<message_id>\S+) (?<data>-|(?:\[(?:[^\]\\]|\\.)*\])+)(?: (?<message>.*))?$/s;

const severities = "emergency alert critical error warning notice info debug".split(" ");
const facilities = [
  ..."kern user mail daemon auth syslog lpr news uucp cron authpriv ftp".split(" "),
  ..."ntp audit alert clock local0 local1 local2 local3 local4 local5 local6 local7".split(" "),
];

/** Lines of syslog. The number in front is a facility and a severity. */
export function syslogLine(text: string): LineValues | null {
  const match = modern.exec(text) ?? old.exec(text);
  if (match === null) return null;
  const { priority: code, pid, ...groups } = match.groups ?? {};
  const number = code === undefined ? undefined : Number(code);
  const values = valuesOf({
    ...groups,
    ...(number === undefined
      ? {}
      : { severity: severities[number % 8], facility: facilities[number >> 3] }),
  });
  if (pid !== undefined && pid !== "-")
    values.set("pid", /^\d+$/.test(pid) ? new LineNumber(pid) : pid);
  return values;
}
