import { bundleScripts } from "./lib/bundle.mjs";
import { at } from "./lib/paths.mjs";
import { prepare } from "./prepare.mjs";

/** What several machines cost, as figures: `npm run bench:cluster [-- --window]`. */
await prepare();
// The bundle is elsewhere than the tests, which find the program by their own place.
process.env.HADAL_TEST_PROGRAM = at("apps/server/bin/hadal.js");
await bundleScripts({ machines: "bench/machines.ts" });
await (await import("esbuild")).stop();
await import(at("apps/server/dist/machines.js"));
