import { bundleScripts } from "./lib/bundle.mjs";
import { at } from "./lib/paths.mjs";
import { prepare } from "./prepare.mjs";

/** Normal load beside hostile clients: `npm run bench:soak [-- MINUTES]`. */
await prepare();
await bundleScripts({ soak: "bench/soak.ts", hostileProcess: "bench/fault/hostileProcess.ts" });
await (await import("esbuild")).stop();
await import(at("apps/server/dist/soak.js"));
