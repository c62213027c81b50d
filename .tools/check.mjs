import { runChecks } from "./lib/checks.mjs";
import { summary } from "./lib/reports.mjs";
import { prepareSources } from "./prepare.mjs";

// npm run check: types, lint, import rules and unused code, without building the program.
await prepareSources();
const total = await runChecks();
process.exitCode = total.failed.length > 0 ? 1 : 0;
console.log(`\n${summary(total)}`);
