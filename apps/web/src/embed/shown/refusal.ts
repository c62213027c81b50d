import type { HadalError } from "@hadal/sdk";

export interface Refusal {
  readonly title: string;
  readonly text: string;
}

/** What a token is refused for, in the reader's words; null: the problem is another one. */
export function refusalOf(problem: HadalError): Refusal | null {
  if (problem.code === "unauthenticated") {
    return { title: "This chart has expired", text: "Load the page again to see it." };
  }
  if (problem.status === 403) return { title: "This chart is not allowed", text: problem.message };
  return null;
}

/** A problem in the reader's words. */
export const wordsOf = (problem: HadalError): string =>
  problem.code === "connection-lost" ? "No connection. Trying again …" : problem.message;

/** The same of what keeps a chart from asking. */
export function obstacleWords(problem: HadalError): Refusal {
  const title = problem.code === "bad-request" ? "Nothing to show" : "No answer";
  return refusalOf(problem) ?? { title, text: wordsOf(problem) };
}
