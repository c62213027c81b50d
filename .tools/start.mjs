import { at } from "./lib/paths.mjs";
import { prepare } from "./prepare.mjs";

await prepare();
// In this same process: signals and the exit code are the program's own, and nothing starts twice.
const program = at("apps/server/bin/hadal.js");
process.argv.splice(1, 1, program, "serve");
await import(program);
