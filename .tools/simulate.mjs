import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { at } from "./lib/paths.mjs";
import { bundleSimulation } from "./lib/simulation.mjs";
import { prepareSources } from "./prepare.mjs";

// npm run simulate: random histories of a cluster, see apps/server/test/simulation.
// --plant NAME: with one of the bugs in planted.json.
function plantedBug(name) {
  const bugs = JSON.parse(readFileSync(at("apps/server/test/simulation/planted.json"), "utf8"));
  const found = bugs.find((bug) => bug.name === name);
  if (found === undefined) throw new Error(`no planted bug is called ${name}`);
  return found;
}
await prepareSources();
const bundle = at("apps/server/dist/simulation.js");
const flags = process.argv.slice(2);
const plantAt = flags.indexOf("--plant");
const [, planted] = plantAt < 0 ? [] : flags.splice(plantAt, 2);
const path = planted === undefined ? bundle : bundle.replace(".js", `-${process.pid}.js`);
await bundleSimulation(path, planted === undefined ? [] : [plantedBug(planted)]);
const child = spawn(process.execPath, [path, ...flags], { stdio: "inherit" });
child.on("exit", (code) => {
  process.exitCode = code ?? 1;
  if (planted !== undefined) rmSync(path);
});
