import { bundleScripts } from "./lib/bundle.mjs";
import { at } from "./lib/paths.mjs";
import { prepare } from "./prepare.mjs";

/** What boards cost, as figures: `npm run bench:boards [-- --rows N --rounds N --viewers N]`. */
await prepare();
// What is measured is reading rows: questions come again and again.
process.env.HADAL_CACHE_BYTES ??= "0";
await bundleScripts({ boards: "bench/boards.ts" });
await (await import("esbuild")).stop();
await import(at("apps/server/dist/boards.js"));
