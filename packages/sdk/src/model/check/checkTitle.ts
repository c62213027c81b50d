import { documentTitleMax } from "../document.js";
import { kindOf, type ProblemList } from "../problem/problemList.js";

/** The title of a document. */
export function checkTitle(title: unknown, problems: ProblemList): void {
  const fault = typeof title === "string" ? whyInvalidTitle(title) : `found ${kindOf(title)}`;
  if (fault === null) return;
  const detail = `title is a text of 1 to ${documentTitleMax} characters (documentTitleMax); ${fault}.`;
  problems.add("title", title === undefined ? "missing" : "type-mismatch", detail);
}

function whyInvalidTitle(title: string): string | null {
  if (title.trim() === "") return "it is empty";
  if (title.length > documentTitleMax) return `it has ${title.length}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is those that are refused
  return /[\u0000-\u001f\u007f]/.test(title) ? "it has control characters" : null;
}
