import { bundleScripts } from "./lib/bundle.mjs";
import { at } from "./lib/paths.mjs";
import { prepare } from "./prepare.mjs";

await prepare();
await bundleScripts({
  benchIngest: "bench/ingest.ts",
  ingestSender: "bench/ingest/ingestSender.ts",
});
await (await import("esbuild")).stop();
const program = at("apps/server/dist/benchIngest.js");
process.argv.splice(1, 1, program);
await import(program);
