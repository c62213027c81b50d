import { bundleScripts } from "./lib/bundle.mjs";
import { at } from "./lib/paths.mjs";
import { prepare } from "./prepare.mjs";

/** What alert rules cost, as figures: `npm run bench:alerts [-- --rows N --rules N --seconds N]`. */
await prepare();
await bundleScripts({ alerts: "bench/alerts.ts" });
await (await import("esbuild")).stop();
await import(at("apps/server/dist/alerts.js"));
