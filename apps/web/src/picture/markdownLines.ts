import markdownIt from "markdown-it";

export interface TextLine {
  readonly text: string;
  readonly isHead: boolean;
}

const parser = markdownIt({ html: false, linkify: false });

/** Markdown as plain lines: headings, paragraphs and entries of lists, without links and emphasis. */
export function markdownLines(text: string): TextLine[] {
  let [depth, isHead, isEntry] = [0, false, false];
  return parser.parse(text, {}).flatMap((token): TextLine[] => {
    if (token.type === "heading_open") isHead = true;
    if (token.type === "heading_close") isHead = false;
    if (token.type === "list_item_open") [depth, isEntry] = [depth + 1, true];
    if (token.type === "list_item_close") depth -= 1;
    if (token.type === "fence" || token.type === "code_block") {
      return token.content
        .trimEnd()
        .split("\n")
        .map((line) => ({ text: line, isHead: false }));
    }
    if (token.type !== "inline") return [];
    const lead = isEntry ? `${"   ".repeat(Math.max(0, depth - 1))}• ` : "";
    isEntry = false;
    return [{ text: `${lead}${plainText(token.children ?? [])}`, isHead }];
  });
}

const plainText = (
  tokens: readonly { readonly type: string; readonly content: string }[],
): string =>
  tokens
    .map(({ type, content }) => (type === "softbreak" || type === "hardbreak" ? " " : content))
    .join("");
