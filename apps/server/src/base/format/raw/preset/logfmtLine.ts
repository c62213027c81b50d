import { LineNumber, type LineValues } from "../lineValues.js";

const pair = /\s*([^\s="]+)(?:=(?:"((?:[^"\\]|\\.)*)"|(\S*)))?/y;
const number = /^-?(?:0|[1-9]\d{0,17})(?:\.\d{1,18})?$/;
const timeNames = ["ts", "timestamp", "t", "datetime"];

/** `key=value key="two words" flag`. A number without quotes is one; a flag is `true`. */
export function logfmtLine(text: string): LineValues | null {
  const values: LineValues = new Map();
  let pairs = 0;
  const end = text.trimEnd().length;
  for (let at = 0; at < end; at = pair.lastIndex) {
    pair.lastIndex = at;
    const match = pair.exec(text);
    if (match === null) return null;
    const [, key = "", quoted, plain] = match;
    if (quoted === undefined && plain === undefined) {
      values.set(key, "true");
      continue;
    }
    pairs++;
    const value = quoted?.replaceAll(/\\(.)/g, unescaped) ?? plain ?? "";
    if (value !== "")
      values.set(key, plain !== undefined && number.test(plain) ? new LineNumber(plain) : value);
  }
  if (pairs === 0) return null;
  nameTime(values);
  return values;
}

const unescaped = (_: string, char: string): string =>
  char === "n" ? "\n" : char === "t" ? "\t" : char;

/** Without a `time`, what programs call so. */
function nameTime(values: LineValues): void {
  if (values.has("time")) return;
  const name = timeNames.find((one) => values.has(one));
  if (name === undefined) return;
  values.set("time", values.get(name)!);
  values.delete(name);
}
