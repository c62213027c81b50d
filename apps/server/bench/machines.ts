import { parseArgs } from "node:util";
import { runExperiments } from "./machines/experiments.js";
import { windowCurve } from "./machines/windowCurve.js";

const { values } = parseArgs({
  options: {
    /** The curve of the window alone. */
    window: { type: "boolean", default: false },
    rows: { type: "string", default: "200000" },
    machines: { type: "string", default: "4" },
    runs: { type: "string", default: "50" },
    "demo-rows": { type: "string", default: "3000000" },
    mixed: { type: "string", default: "14000" },
  },
});
if (values.window) windowCurve();
else {
  await runExperiments({
    rows: Number(values.rows),
    machines: Number(values.machines),
    runs: Number(values.runs),
    demoRows: Number(values["demo-rows"]),
    mixed: Number(values.mixed),
  });
  process.exit(0);
}
