import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Embedded,
  escapeHtml,
  htmlSnippet,
  iframeSnippet,
  imageSnippet,
  reactSnippet,
  renewalSnippet,
} from "./snippets.js";

const embedded: Embedded = {
  ...{ src: "https://hadal.example", id: "e1", token: "a.b-c_d.e" },
  title: "Load",
};

/** What a browser reads of the attribute. */
const attributeOf = (html: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`)
    .exec(html)?.[1]
    ?.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_all, code: string) => signs[code] ?? "");
const signs: Readonly<Record<string, string>> = {
  ...{ lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" },
};

describe("snippets", () => {
  test("the iframe has the token behind the #, which browsers do not send", () => {
    const address = new URL(attributeOf(iframeSnippet(embedded), "src") ?? "");
    expect(address.pathname).toBe("/embed/e1");
    expect(address.search).toBe("");
    expect(address.hash).toBe("#token=a.b-c_d.e");
  });

  test("the element has the server, the token and its own script", () => {
    const html = htmlSnippet(embedded);
    expect(html).toContain('src="https://hadal.example/embed/hadal-chart.js"');
    expect(attributeOf(html, "token")).toBe(embedded.token);
  });

  test("code for React and for the server holds no token", () => {
    for (const text of [reactSnippet(embedded), renewalSnippet(embedded)]) {
      expect(text).not.toContain(embedded.token);
    }
  });

  test("a title stays a text, whatever it has in it", () => {
    const anyTitle = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(`"><script>alert(1)</script>`, "*/ alert(1) /*", "' onload='x", "</iframe>"),
    );
    fc.assert(
      fc.property(anyTitle, (title) => {
        const named = { ...embedded, title };
        expect(escapeHtml(title)).not.toMatch(/[<>"']/);
        expect(attributeOf(iframeSnippet(named), "title")).toBe(title);
        expect(attributeOf(htmlSnippet(named), "aria-label")).toBe(title);
        const picture = { url: 'https://hadal.example/"&', width: 640, height: 360 };
        expect(attributeOf(imageSnippet(named, picture), "alt")).toBe(title);
        expect(attributeOf(imageSnippet(named, picture), "src")).toBe(picture.url);
        const [, comment] = /\/\*\*(.*?)\*\//s.exec(reactSnippet(named)) ?? [];
        expect(reactSnippet(named)).toContain(`${comment}*/\nexport function EmbeddedChart`);
      }),
    );
  });
});
