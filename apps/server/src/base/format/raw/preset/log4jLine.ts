import { type LineValues, valuesOf } from "../lineValues.js";

const time = /(?<time>\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|[+-]\d\d:?\d\d))?)/
  .source;
const level = "(?<level>TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|SEVERE|FATAL|CRITICAL)";
/** `%d %p [%t] %c - %m`, its usual orders, and what Logback writes. */
const log4j = new RegExp(
  `^${time} +(?:\\[(?<before>[^\\]]*)\\] +)?${level} +(?:\\[(?<after>[^\\]]*)\\] +)?(?:(?<logger>[^\\s:]+)(?: - | *: | ))?(?<message>.*)$`,
  "s",
);
/** What Spring Boot writes. */
const spring = new RegExp(
  `^${time} +${level} +(?<pid>\\d+) +--- +(?:\\[[^\\]]*\\] +)??\\[(?<thread>[^\\]]*)\\] +(?<logger>\\S+) *: (?<message>.*)$`,
  "s",
);

/** Lines of log4j, Logback and Spring Boot; all others belong to the line before. */
export function log4jLine(text: string): LineValues | null {
  const ofSpring = spring.exec(text);
  if (ofSpring !== null) {
    const { thread, ...groups } = ofSpring.groups ?? {};
    return valuesOf({ ...groups, thread: thread?.trim() }, ["pid"]);
  }
  const match = log4j.exec(text);
  if (match === null) return null;
  const { before, after, ...groups } = match.groups ?? {};
  return valuesOf({ ...groups, thread: (before ?? after)?.trim() });
}
