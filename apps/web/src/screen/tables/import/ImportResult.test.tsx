import type { HadalClient, RowProblem } from "@hadal/sdk";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type { UploadState } from "../file/uploadFile.js";
import { ImportResult } from "./ImportResult.js";

const problem = (line: number): RowProblem =>
  ({ line, code: "bad-value", detail: "It is no number: <b>" }) as unknown as RowProblem;

function shown(state: Partial<UploadState>, reason: string | null = null): string {
  const whole = { bytesSent: 10, accepted: 0, rejected: 0, problems: [], ...state };
  return renderToStaticMarkup(
    <ImportResult
      client={{} as HadalClient}
      table="visits"
      state={whole}
      problem={reason}
      onBack={() => {}}
    />,
  );
}
/** What is read, with plain spaces. */
const words = (html: string): string =>
  html
    .replace(/<\/?(a|button|p|section|table|t\w+|div)[^>]*>/g, " ")
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ")
    .trim();

describe("the result of an import", () => {
  test.each([
    [{ accepted: 1 }, "1 row added to visits."],
    [{ accepted: 12_345, rejected: 2 }, "12 345 rows added to visits, 2 rejected."],
    [{ rejected: 3 }, "0 rows added to visits, 3 rejected."],
  ])("of %o counts every row", (state, text) => {
    expect(words(shown(state))).toContain(text);
  });

  test("that ended early says why, and that what came before stays", () => {
    expect(words(shown({ accepted: 5 }, "The connection was lost."))).toMatch(
      /^The connection was lost. Rows added before that stay. 5 rows added/,
    );
  });

  test("lists rejected rows by their line, and says when they are not all", () => {
    const all = shown({ rejected: 2, problems: [problem(3), problem(1_000)] });
    expect(words(all)).toContain("3 It is no number: &lt;b&gt; 1 000 It is no number: &lt;b&gt;");
    expect(words(all)).not.toContain("Only the first");
    const some = shown({ rejected: 900, problems: [problem(3), problem(4)] });
    expect(words(some)).toContain("Only the first 2 rejected rows are listed.");
  });

  test("offers the new rows only when there are some", () => {
    expect(shown({ rejected: 3 })).not.toContain("Explore visits");
  });
});
