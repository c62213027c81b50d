import { expect, test } from "vitest";
import { renderMarkdown } from "./markdown.js";

test("Markdown is drawn, and links open apart", () => {
  expect(renderMarkdown("**a** https://hadal.dev")).toBe(
    '<p><strong>a</strong> <a href="https://hadal.dev" target="_blank" rel="noreferrer noopener">https://hadal.dev</a></p>\n',
  );
});

test.each([
  ["HTML", '<img src=x onerror="alert(1)"><script>alert(1)</script>'],
  ["a script in a link", "[a](javascript:alert(1))"],
  ["data in a link", "[a](data:text/html;base64,PHNjcmlwdD4=)"],
  ["an image", "![a](https://evil.example/x.png)"],
  ["a path of this server", "[a](/api/v1/session)"],
  ["another server by two slashes", "[a](//evil.example)"],
])("%s is text", (_, text) => {
  const html = renderMarkdown(text);
  expect(html).not.toMatch(/<(img|script)/);
  expect(html.replaceAll(/href="https:\/\/evil.example\/x.png"/g, "")).not.toContain("href");
});
