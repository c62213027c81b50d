import { expect, test } from "vitest";
import { markdownLines } from "./markdownLines.js";
import { wrapText } from "./wrapText.js";

const widthOf = (text: string): number => text.length;

test("lines end between words; a word has its own line", () => {
  expect(wrapText("one two three", 7, widthOf)).toEqual(["one two", "three"]);
  expect(wrapText("overlong a\nb", 4, widthOf)).toEqual(["overlong", "a", "b"]);
  expect(wrapText("x".repeat(500), 4, widthOf)).toEqual(["x".repeat(400)]);
});

test("markdown is plain lines, HTML is text", () => {
  expect(
    markdownLines("# Head\n\nA *b* [c](http://x)\n\n- one\n  - two\n\n```\nx\n y\n```"),
  ).toEqual([
    { text: "Head", isHead: true },
    { text: "A b c", isHead: false },
    { text: "• one", isHead: false },
    { text: "   • two", isHead: false },
    { text: "x", isHead: false },
    { text: " y", isHead: false },
  ]);
  expect(markdownLines("<img src=x onerror=1>")).toEqual([
    { text: "<img src=x onerror=1>", isHead: false },
  ]);
});
