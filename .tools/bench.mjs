import { bundleScripts } from "./lib/bundle.mjs";
import { at } from "./lib/paths.mjs";
import { prepare } from "./prepare.mjs";

await prepare();
// What is measured is reading rows: questions come again and again.
process.env.HADAL_CACHE_BYTES ??= "0";
await bundleScripts({ bench: "bench/main.ts", ingestClient: "bench/part/ingestClient.ts" });
// Its process would take its share of the cores for as long as this one lives.
await (await import("esbuild")).stop();
const program = at("apps/server/dist/bench.js");
process.argv.splice(1, 1, program);
await import(program);
