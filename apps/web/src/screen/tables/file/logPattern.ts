interface LogPattern {
  /** As the server calls it. */
  readonly name: string;
  readonly label: string;
  /** How its lines begin; null: as any line may. */
  readonly line: RegExp | null;
}

const dateAndTime = String.raw`\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}\S*`;

/** The server's patterns of log lines, in the order in which they are tried. */
export const logPatterns: readonly LogPattern[] = [
  {
    ...{ name: "combined", label: "web server access (combined or common)" },
    line: /^\S+ \S+ .{0,100}\[\d{2}\/[A-Z][a-z]{2}\/\d{4}:\d{2}:\d{2}:\d{2} [+-]\d{4}\] "/,
  },
  {
    ...{ name: "nginx-error", label: "nginx errors" },
    line: /^\d{4}\/\d{2}\/\d{2} \d{2}:\d{2}:\d{2} \[[a-z]+\] \d+#/,
  },
  {
    ...{ name: "apache-error", label: "Apache errors" },
    line: /^\[[A-Z][a-z]{2} [A-Z][a-z]{2} \d{2} \d{2}:\d{2}:\d{2}\S* \d{4}\] \[/,
  },
  {
    ...{ name: "syslog", label: "syslog" },
    line: /^(<\d{1,3}>(\d )?|[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \S+ )/,
  },
  {
    ...{ name: "log4j", label: "log4j, Logback, Spring Boot" },
    line: new RegExp(`^${dateAndTime} .{0,200}\\b(TRACE|DEBUG|INFO|WARN|ERROR|FATAL)\\b`),
  },
  {
    ...{ name: "logfmt", label: "logfmt (key=value)" },
    line: /^(?=.{0,2000}\b(time|ts|timestamp|t|datetime)=)[\w.-]+=("[^"]*"|\S*) +[\w.-]+=/,
  },
  { name: "plain", label: "any: the whole line is a message", line: null },
];

/** Where most lines belong to events of other lines, as in stack traces, few begin one. */
const leastShare = 0.2;

/** The pattern of which the first line is one, and enough of the others; null: of none. */
export function detectPattern(lines: readonly string[]): string | null {
  const found = logPatterns.find(({ line }) => {
    if (line === null || lines[0] === undefined || !line.test(lines[0])) return false;
    return lines.filter((one) => line.test(one)).length >= leastShare * lines.length;
  });
  return found?.name ?? null;
}
