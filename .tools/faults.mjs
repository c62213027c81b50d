import { bundleScripts } from "./lib/bundle.mjs";
import { at } from "./lib/paths.mjs";
import { prepare } from "./prepare.mjs";

/** What faults cost, as figures: `npm run bench:faults [-- NAME…]`. */
await prepare();
await bundleScripts({ faults: "bench/faults.ts" });
await (await import("esbuild")).stop();
await import(at("apps/server/dist/faults.js"));
