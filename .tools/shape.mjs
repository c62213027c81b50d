// npm run shape [-- --counts] [-- FOLDER …]: prints the shape of the code, for reading only.
// Nothing fails.
import { root } from "./lib/paths.mjs";
import { measureShape } from "./lib/shape/measure.mjs";
import { printCounts, printShape } from "./lib/shape/print.mjs";

const args = process.argv.slice(2);
const folders = args.filter((arg) => !arg.startsWith("--"));
const shape = measureShape(root, folders);
console.log(args.includes("--counts") ? printCounts(shape) : printShape(shape));
