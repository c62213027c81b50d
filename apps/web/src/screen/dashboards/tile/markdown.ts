import markdownIt from "markdown-it";

/** Links lead only to web pages, by their whole address: no scripts, no files, no data. */
const webAddress = /^https?:\/\//i;

const renderer = markdownIt({ html: false, linkify: true });
// An image would be a request to another server from every reader's browser.
renderer.disable("image");
renderer.validateLink = (url) => webAddress.test(url.trim());
// The parameters are those that markdown-it calls with.
renderer.renderer.rules.link_open = (tokens, index, options, _env, self) => {
  tokens[index]?.attrSet("target", "_blank");
  tokens[index]?.attrSet("rel", "noreferrer noopener");
  return self.renderToken(tokens, index, options);
};

/** Markdown as HTML in which every text of the author is escaped. */
export const renderMarkdown = (text: string): string => renderer.render(text);
