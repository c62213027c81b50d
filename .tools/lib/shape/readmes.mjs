/** Most characters of a paragraph, and lines of a README, that are read without effort. */
export const paragraphMax = 400;
export const readmeLinesMax = 40;

/** A README: `{ path, lineCount, longParagraphs: [{ line, length }] }`. */
export function measureReadme(path, text) {
  const longParagraphs = paragraphsOf(text).filter(({ length }) => length > paragraphMax);
  return { path, lineCount: text.trimEnd().split("\n").length, longParagraphs };
}

/** Paragraphs, list items and rows of tables, each with the line it begins at. Code is none. */
function paragraphsOf(text) {
  const paragraphs = [];
  let isCode = false;
  let isOpen = false;
  for (const [index, line] of text.split("\n").entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    if (isCode || /^\s*(```|$)/.test(line)) {
      isOpen = false;
      continue;
    }
    if (!isOpen || /^\s*([-*|#]|\d+\.)/.test(line)) paragraphs.push({ line: index + 1, length: 0 });
    paragraphs.at(-1).length += line.length;
    isOpen = true;
  }
  return paragraphs;
}

const withReadme =
  /^(packages\/[^/]+|apps\/[^/]+|apps\/server\/src\/[^/]+|apps\/web\/src\/screen\/[^/]+)$/;

/** Folders that should begin with a README and do not: packages, folders of the server, screens. */
export function listMissingReadmes(paths) {
  const known = new Set(paths);
  const folders = new Set(
    paths.flatMap((path) => {
      const parts = path.split("/").slice(0, -1);
      return parts.map((_, i) => parts.slice(0, i + 1).join("/"));
    }),
  );
  return [...folders].filter(
    (folder) => withReadme.test(folder) && !known.has(`${folder}/README.md`),
  );
}
