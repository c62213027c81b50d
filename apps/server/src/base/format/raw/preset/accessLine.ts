import { type LineValues, valuesOf } from "../lineValues.js";

const quoted = (name: string): string => `"(?<${name}>(?:[^"\\\\]|\\\\.)*)"`;
const start = /^(?<client>\S+) (?<ident>\S+) (?<user>\S+(?: \S+)?) \[(?<time>[^\]]+)\] /.source;
const line = new RegExp(
  `${start}${quoted("request")} (?<status>\\d{3}) (?<bytes>\\d+|-)(?: ${quoted("referrer")} ${quoted("agent")})?(?: (?<rest>.*))?$`,
  "s",
);
const request = /^(?<method>[A-Z]+) (?<path>\S+)(?: (?<protocol>HTTP\/[\d.]+))?$/;

/**
 * The combined and the common log format of web servers. A request that is none (scanners send
 * anything) is kept whole as `request`; what follows the format's fields is `rest`.
 */
export function accessLine(text: string): LineValues | null {
  const match = line.exec(text);
  if (match === null) return null;
  const { request: sent = "", ...groups } = match.groups ?? {};
  const parts = request.exec(sent)?.groups ?? { request: sent };
  return valuesOf({ ...groups, ...parts }, ["status", "bytes"]);
}
