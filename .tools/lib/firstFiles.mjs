import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

/** `import "./a.js"`, `… from "./a.js"` */
const statics = /(?:\bfrom|\bimport)\s*(["'`])(\.[^"'`]+)\1/g;
/** `import("./a.js")` */
const onDemand = /\bimport\(\s*(["'`])(\.[^"'`]+)\1/g;

/**
 * What a page with an embedded chart loads before it loads the code of a view: the element, the one
 * part that it imports, and all that these cannot start without.
 */
export function firstFiles(folder) {
  const element = join(folder, "hadal-chart.js");
  const found = new Set([element, ...importsOf(element, onDemand)]);
  for (const file of found) {
    for (const imported of importsOf(file, statics)) found.add(imported);
  }
  const files = [...found];
  const sizes = files.map((file) => gzipSync(readFileSync(file), { level: 9 }).length);
  return { files, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

const importsOf = (file, pattern) =>
  [...readFileSync(file, "utf8").matchAll(pattern)].map(([, , path]) => join(dirname(file), path));
