import { limits } from "./measure.mjs";
import { paragraphMax, readmeLinesMax } from "./readmes.mjs";

const listedMax = { folders: 12, levels: 12, wideLines: 12 };

/** The whole report: sections of lists, longest first, then the counts. */
export function printShape(shape) {
  const sections = sectionsOf(shape).map(([title, count, lines]) =>
    [`${title}: ${count}`, ...lines.map((line) => `  ${line}`)].join("\n"),
  );
  return [...sections, printCounts(shape)].join("\n\n");
}

/** One line for each count: before and after are compared by them. */
export function printCounts(shape) {
  return countsOf(shape)
    .map(([what, count]) => `${String(count).padStart(6)}  ${what}`)
    .join("\n");
}

function countsOf(shape) {
  const { functionLines, parameters, folderFiles, fileLines, kinds, textColumns } = limits;
  return [
    ["source files", shape.fileCount],
    [`functions over ${functionLines} lines`, shape.longFunctions.length],
    [`parameter lists over ${parameters}`, shape.wideFunctions.length],
    ["functions with boolean parameters", shape.booleanFunctions.length],
    ["members with `private`", shape.privates.length],
    [`folders over ${folderFiles} files`, fullFolders(shape).length],
    ["longest chain of imports within a folder", shape.levels[0]?.levels ?? 0],
    [`files that name ${kinds} kinds or more`, shape.kinds.length],
    [`files of exactly ${fileLines} lines`, exactFiles(shape).length],
    [`files over ${fileLines} lines`, shape.longFiles.length - exactFiles(shape).length],
    [
      `lines over ${textColumns} columns`,
      shape.wideLines.reduce((sum, { count }) => sum + count, 0),
    ],
    [`READMEs over ${readmeLinesMax} lines`, shape.longReadmes.length],
    [`paragraphs over ${paragraphMax} characters`, paragraphsOf(shape).length],
    ["folders without a README", shape.missingReadmes.length],
  ];
}

/** [title, count, lines]; the kernel's are counted in a line of their own. */
function sectionsOf(shape) {
  const { functionLines, parameters, folderFiles, fileLines, kinds, textColumns } = limits;
  const full = fullFolders(shape);
  const exact = exactFiles(shape);
  const section = (title, found, print) => [title, found.length, found.map(print)];
  return [
    withAllowed(
      section(`Functions over ${functionLines} lines`, shape.longFunctions, printLength),
      shape.longFunctionsAllowed.map(printLength),
    ),
    withAllowed(
      section(`Parameter lists over ${parameters}`, shape.wideFunctions, printParameters),
      shape.wideFunctionsAllowed.map(printParameters),
    ),
    withAllowed(
      section("Boolean parameters", shape.booleanFunctions, printBooleans),
      shape.booleanFunctionsAllowed.map(printBooleans),
    ),
    section("Members with TypeScript's `private`", shape.privates, placeOf),
    [
      `Folders over ${folderFiles} source files (the fullest are listed)`,
      full.length,
      shape.folders
        .slice(0, Math.max(full.length, listedMax.folders))
        .map(({ path, fileCount }) => `${fileCount} ${path}`),
    ],
    [
      "Folders by their longest chain of imports",
      shape.levels.length,
      shape.levels.slice(0, listedMax.levels).map(printChain),
    ],
    section(
      `Files that name ${kinds} kinds or more (a registry may)`,
      shape.kinds,
      (one) => `${one.kinds.length} ${one.path}: ${one.kinds.join(" ")}`,
    ),
    section(`Files of exactly ${fileLines} lines`, exact, ({ path }) => path),
    section(
      `Files over ${fileLines} lines`,
      shape.longFiles.filter((one) => !exact.includes(one)),
      ({ path, lineCount }) => `${lineCount} ${path}`,
    ),
    [
      `Files with lines over ${textColumns} columns (the most are listed)`,
      shape.wideLines.length,
      shape.wideLines.slice(0, listedMax.wideLines).map(({ path, count }) => `${count} ${path}`),
    ],
    section(
      `READMEs over ${readmeLinesMax} lines (the root's and the SDK's may be)`,
      shape.longReadmes,
      ({ path, lineCount }) => `${lineCount} ${path}`,
    ),
    section(
      `Paragraphs of READMEs over ${paragraphMax} characters`,
      paragraphsOf(shape),
      ({ path, line, length }) => `${length} ${path}:${line}`,
    ),
    section("Folders without a README", shape.missingReadmes, (path) => path),
  ];
}

function withAllowed([title, count, lines], allowed) {
  if (allowed.length === 0) return [title, count, lines];
  const named = allowed.slice(0, 3).join("; ");
  return [
    title,
    count,
    [...lines, `allowed, in the kernel and its twins: ${allowed.length} (${named})`],
  ];
}

const fullFolders = ({ folders }) =>
  folders.filter(({ fileCount }) => fileCount > limits.folderFiles);

const exactFiles = ({ longFiles }) =>
  longFiles.filter(({ lineCount }) => lineCount === limits.fileLines);

const paragraphsOf = ({ longParagraphs }) =>
  longParagraphs.flatMap(({ path, longParagraphs: found }) =>
    found.map((one) => ({ path, ...one })),
  );

const placeOf = ({ path, line, name }) => `${path}:${line} ${name}`;
const printLength = (one) => `${one.lineCount} ${placeOf(one)}`;
const printParameters = (one) => `${one.parameterCount} ${placeOf(one)}`;
const printBooleans = (one) => `${placeOf(one)} (${one.booleans.join(", ")})`;

function printChain({ path, levels, chain }) {
  const names = chain.map((file) => file.slice(path.length + 1).replace(/\.tsx?$/, ""));
  return `${levels} ${path}: ${names.join(" → ")}`;
}
