import { bundleScripts } from "./lib/bundle.mjs";
import { at } from "./lib/paths.mjs";
import { prepare } from "./prepare.mjs";

/** What boards cost, as figures: `npm run bench:boards [-- --rows N --rounds N --viewers N]`. */
await prepare();
await bundleScripts({ boards: "bench/boards.ts" });
await (await import("esbuild")).stop();
await import(at("apps/server/dist/boards.js"));
