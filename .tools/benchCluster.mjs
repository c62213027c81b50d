import { bundleScripts } from "./lib/bundle.mjs";
import { at } from "./lib/paths.mjs";
import { prepare } from "./prepare.mjs";

/** What several machines cost, as figures: `npm run bench:cluster [-- --window]`. */
await prepare();
// What is measured is reading rows: questions come again and again.
process.env.HADAL_CACHE_BYTES ??= "0";
// The bundle is elsewhere than the tests, which find the program by their own place.
process.env.HADAL_TEST_PROGRAM = at("apps/server/bin/hadal.js");
await bundleScripts({ machines: "bench/machines.ts" });
await (await import("esbuild")).stop();
await import(at("apps/server/dist/machines.js"));
