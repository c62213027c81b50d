import { bundleScripts } from "./lib/bundle.mjs";
import { findOrInstallKafka } from "./lib/kafka.mjs";
import { at } from "./lib/paths.mjs";
import { prepare } from "./prepare.mjs";

/** What faults cost, as figures: `npm run bench:faults [-- NAME…]`. */
await prepare();
// The bundle is elsewhere than the tests, which find the program by their own place.
process.env.HADAL_TEST_PROGRAM = at("apps/server/bin/hadal.js");
const wanted = process.argv.slice(2);
if (wanted.length === 0 || wanted.includes("F16"))
  process.env.HADAL_TEST_KAFKA = (await findOrInstallKafka()) ?? "";
await bundleScripts({ faults: "bench/faults.ts" });
await (await import("esbuild")).stop();
await import(at("apps/server/dist/faults.js"));
