import { readFileSync } from "node:fs";
import { join } from "node:path";
import { byMost, countFolders, measureLevels } from "./folders.mjs";
import { listPrivates, measureFunctions } from "./functions.mjs";
import { listKinds } from "./kinds.mjs";
import { listMissingReadmes, measureReadme, readmeLinesMax } from "./readmes.mjs";
import { isAllowed, isSource, listFiles, readSource } from "./sources.mjs";

/** What is looked at: more than this is listed. */
export const limits = {
  functionLines: 60,
  parameters: 4,
  folderFiles: 20,
  fileLines: 400,
  kinds: 8,
  textColumns: 100,
};

/** The shape of a repository below some of its folders; none: of all of it. */
export function measureShape(root, folders = []) {
  const paths = listFiles(root, folders);
  const sources = paths.filter(isSource).map((path) => readSource(root, path));
  const functions = sources.flatMap(measureFunctions);
  const long = functions.filter(({ lineCount }) => lineCount > limits.functionLines);
  const wide = functions.filter(({ parameterCount }) => parameterCount > limits.parameters);
  const readmes = paths
    .filter((path) => /(^|\/)README\.md$/.test(path))
    .map((path) => measureReadme(path, readFileSync(join(root, path), "utf8")));
  return {
    fileCount: sources.length,
    ...parted("longFunctions", long.sort(byMost("lineCount"))),
    ...parted("wideFunctions", wide.sort(byMost("parameterCount"))),
    ...parted(
      "booleanFunctions",
      functions.filter(({ booleans }) => booleans.length > 0),
    ),
    privates: sources.flatMap(listPrivates),
    folders: countFolders(sources),
    levels: measureLevels(sources),
    kinds: sources
      .map(listKinds)
      .filter(({ kinds }) => kinds.length >= limits.kinds)
      .sort((a, b) => b.kinds.length - a.kinds.length),
    longFiles: sources.filter(({ lineCount }) => lineCount >= limits.fileLines),
    wideLines: countWideLines(sources),
    longReadmes: readmes.filter(({ lineCount }) => lineCount > readmeLinesMax),
    longParagraphs: readmes.filter(({ longParagraphs }) => longParagraphs.length > 0),
    missingReadmes: listMissingReadmes(paths).filter(
      (path) => folders.length === 0 || folders.some((folder) => path.startsWith(folder)),
    ),
  };
}

/** Those that should be looked at, and those that are allowed, under names of their own. */
function parted(name, found) {
  return {
    [name]: found.filter(({ path }) => !isAllowed(path)),
    [`${name}Allowed`]: found.filter(({ path }) => isAllowed(path)),
  };
}

/**
 * Lines of more than 100 columns, which the formatter leaves in comments and texts: `{ path, count
 * }`.
 */
function countWideLines(sources) {
  return sources
    .map(({ path, text }) => ({
      path,
      count: text.split("\n").filter((line) => line.length > limits.textColumns).length,
    }))
    .filter(({ count }) => count > 0)
    .sort(byMost("count"));
}
