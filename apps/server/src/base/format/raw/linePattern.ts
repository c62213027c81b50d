import { HadalError } from "@hadal/sdk";
import { RE2JS, RE2JSException } from "re2js";
import { linePresets } from "./linePresets.js";
import { LineNumber, type LinePattern, type LineValues, type Multiline } from "./lineValues.js";

/** A pattern as the request has it. */
export interface LinePatternOptions {
  readonly pattern: string;
  readonly multiline?: Multiline | undefined;
}

/** A longer one takes seconds to compile. */
const patternUnitsMax = 2_000;
/**
 * Matching takes time for each character times the pattern's length: with longer lines, seconds.
 */
const matchedUnitsMax = 32_768;
/** What may match nothing but a number: its column has numbers. */
const numberGroup = /^-?\??(?:\\d|\[0-9\])(?:[+*]|\{\d+(?:,\d*)?\})?(?:\\\.(?:\\d|\[0-9\])[+*])?$/;

/** A preset by its name, or a pattern with named groups. Throws `invalid-pattern`. */
export function createLinePattern({ pattern, multiline }: LinePatternOptions): LinePattern {
  const preset = linePresets.get(pattern);
  const found = preset ?? ownPattern(pattern);
  return multiline === undefined ? found : { ...found, multiline };
}

/** Never becomes a RegExp: RE2 takes linear time for every pattern. */
function ownPattern(pattern: string): LinePattern {
  const names = [...linePresets.keys()].join(", ");
  const fault = (detail: string): HadalError =>
    new HadalError("invalid-pattern", {
      pattern: pattern.length > 60 ? `${pattern.slice(0, 60)}…` : pattern,
      detail: `${detail} A pattern is one of ${names}, or has named groups as (?P<time>\\S+).`,
    });
  if (pattern.length > patternUnitsMax)
    throw fault(`${pattern.length} characters; at most ${patternUnitsMax} (patternUnitsMax).`);
  const compiled = compile(pattern, fault);
  const groups = Object.entries(compiled.namedGroups()) as [string, number][];
  if (groups.length === 0) throw fault("It has no named group.");
  const numbers = new Set(groups.map(([name]) => name).filter((name) => isNumber(pattern, name)));
  return {
    ...{ multiline: "none", mayLackTime: false, lineUnitsMax: matchedUnitsMax },
    match: (line) => {
      const matcher = compiled.matcher(line);
      if (!matcher.find()) return null;
      const values: LineValues = new Map();
      for (const [name, index] of groups) {
        const text = matcher.group(index);
        if (text === null || text === undefined || text === "") continue;
        values.set(name, numbers.has(name) ? new LineNumber(text) : text);
      }
      return values;
    },
  };
}

function compile(pattern: string, fault: (detail: string) => HadalError): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw fault(error.message);
  }
}

/** By what stands in the group's own parentheses. */
function isNumber(pattern: string, name: string): boolean {
  const start = pattern.indexOf(`<${name}>`) + name.length + 2;
  let depth = 1;
  for (let at = start; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === "\\") at++;
    else if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return numberGroup.test(pattern.slice(start, at));
  }
  return false;
}
