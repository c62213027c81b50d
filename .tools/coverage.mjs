import { bundleScripts } from "./lib/bundle.mjs";
import { at } from "./lib/paths.mjs";
import { prepare } from "./prepare.mjs";

await prepare();
// What is measured is reading rows: questions come again and again.
process.env.HADAL_CACHE_BYTES ??= "0";
await bundleScripts({ coverage: "bench/coverage.ts" });
await (await import("esbuild")).stop();
await import(at("apps/server/dist/coverage.js"));
