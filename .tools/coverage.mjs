import { bundleScripts } from "./lib/bundle.mjs";
import { at } from "./lib/paths.mjs";
import { prepare } from "./prepare.mjs";

await prepare();
await bundleScripts({ coverage: "bench/coverage.ts" });
await (await import("esbuild")).stop();
await import(at("apps/server/dist/coverage.js"));
