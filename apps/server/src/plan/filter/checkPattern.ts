import { HadalError } from "@hadal/sdk";
import { RE2JS, RE2JSException } from "re2js";
import { patternOfLike } from "../../base/text/textFunctions.js";

/** Longer ones take seconds to compile, and more stack than a thread has. */
const patternLengthMax = 10_000;

/** Each is some hundred ranges. */
const unicodeClassesMax = 1_000;

/** How many groups a pattern has; throws where it is none. */
export function groupsOfPattern(pattern: string, path: string): number {
  if (pattern.length > patternLengthMax) {
    const detail = `${pattern.length} characters; at most ${patternLengthMax} (patternLengthMax).`;
    throw invalidPattern(pattern, detail, path);
  }
  if (pattern.split(/\\[pP]/).length - 1 > unicodeClassesMax) {
    const detail = `more than ${unicodeClassesMax} classes of Unicode such as \\pL (unicodeClassesMax).`;
    throw invalidPattern(pattern, detail, path);
  }
  try {
    return RE2JS.compile(pattern).groupCount();
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw invalidPattern(pattern, error.message, path);
  }
}

function invalidPattern(pattern: string, detail: string, path: string): HadalError {
  const shown = pattern.length > 60 ? `${pattern.slice(0, 60)}…` : pattern;
  const code = "invalid-pattern";
  return new HadalError(code, { pattern: shown, detail }, [{ path, code, detail }]);
}

/** The same of LIKE, which has none. */
export function checkLike(like: string, path: string): void {
  groupsOfPattern(patternOfLike(like), path);
}
