import { linkPathMax } from "../link.js";
import { checkKeys, checkObject, createProblemList, kindOf } from "../problem/problemList.js";

/** The body of `POST /links`: its path. Throws `invalid-query` with everything that is wrong. */
export function checkLink(value: unknown): string {
  const problems = createProblemList();
  const body = checkObject(value, "", problems) ?? {};
  checkKeys(body, "", ["path"], problems);
  const { path } = body;
  const fault = typeof path === "string" ? whyInvalidPath(path) : `found ${kindOf(path)}`;
  if (fault !== null) {
    const detail = `path is an address of the page such as "/explore?v=1&table=visits"; ${fault}.`;
    problems.add("path", path === undefined ? "missing" : "type-mismatch", detail);
  }
  if (problems.count > 0) throw problems.toError();
  return path as string;
}

/** Who follows a link stays on this server: two slashes would lead to another one. */
function whyInvalidPath(path: string): string | null {
  if (path.length > linkPathMax) {
    return `it has ${path.length} characters, at most ${linkPathMax} (linkPathMax)`;
  }
  if (!/^\/[a-z]+([/?]|$)/.test(path)) return "it starts with a slash and the name of a screen";
  if (/^\/(s|api|v1)([/?]|$)/.test(path)) return "it is the address of a screen";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is those that are refused
  return /[\u0000-\u0020\u007f\\]/.test(path)
    ? "it has no blanks, backslashes or control characters"
    : null;
}
