import { parseArgs } from "node:util";
import { demoMix } from "./machines/demoMix.js";
import { runExperiments } from "./machines/experiments.js";
import { windowCurve } from "./machines/windowCurve.js";

const { values } = parseArgs({
  options: {
    /** The curve of the window alone. */
    window: { type: "boolean", default: false },
    /** The percentiles of the mix of queries alone. */
    mix: { type: "boolean", default: false },
    rows: { type: "string", default: "200000" },
    machines: { type: "string", default: "4" },
    runs: { type: "string", default: "50" },
    "demo-rows": { type: "string", default: "3000000" },
    mixed: { type: "string", default: "14000" },
  },
});
const [demoRows, mixed] = [Number(values["demo-rows"]), Number(values.mixed)];
if (values.window) windowCurve();
else if (values.mix) {
  console.log(await demoMix(demoRows, mixed));
  process.exit(0);
} else {
  await runExperiments({
    rows: Number(values.rows),
    machines: Number(values.machines),
    runs: Number(values.runs),
    ...{ demoRows, mixed },
  });
  process.exit(0);
}
