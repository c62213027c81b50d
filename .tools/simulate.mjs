import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { at } from "./lib/paths.mjs";
import { bundleSimulation } from "./lib/simulation.mjs";
import { prepareSources } from "./prepare.mjs";

// npm run simulate: random histories of a cluster, see apps/server/test/simulation.
const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    seeds: { type: "string", default: "500" },
    from: { type: "string", default: "1" },
    plant: { type: "string" },
    workers: { type: "string", default: String(availableParallelism()) },
    "until-failure": { type: "boolean", default: false },
  },
});
/** Fewer are not worth another process. */
const seedsOfProcessMin = 100;

await prepareSources();
const path = at(`apps/server/dist/simulation-${process.pid}.js`);
try {
  await bundleSimulation(path, values.plant === undefined ? [] : editsOf(values.plant));
  const outcomes = await Promise.all(shares().map(run));
  if (values.seed === undefined) console.log(JSON.stringify(outcomes.reduce(add)));
  process.exitCode = outcomes.some(({ failed }) => failed > 0) ? 1 : 0;
} finally {
  for (const file of [path, `${path}.map`]) rmSync(file, { force: true });
}

function editsOf(name) {
  const bugs = JSON.parse(readFileSync(at("apps/server/test/simulation/planted.json"), "utf8"));
  const found = bugs.find((bug) => bug.name === name);
  if (found === undefined) throw new Error(`no planted bug is called ${name}`);
  return found.edits;
}

/** The flags of each process. */
function shares() {
  if (values.seed !== undefined) return [["--seed", values.seed]];
  const [seeds, from] = [Number(values.seeds), Number(values.from)];
  const stops = values["until-failure"];
  const most = Math.max(1, Math.floor(seeds / seedsOfProcessMin));
  const count = stops ? 1 : Math.min(Number(values.workers), most);
  return Array.from({ length: count }, (_, i) => {
    const start = Math.floor((i * seeds) / count);
    const end = Math.floor(((i + 1) * seeds) / count);
    const flags = ["--from", String(from + start), "--seeds", String(end - start)];
    return stops ? [...flags, "--until-failure"] : flags;
  });
}

/** Passes on what a process prints, and resolves with its last line. */
function run(flags) {
  return new Promise((resolve, reject) => {
    const node = ["--max-semi-space-size=64", "--enable-source-maps", path, ...flags];
    const child = spawn(process.execPath, node, { stdio: ["ignore", "pipe", "inherit"] });
    let last = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      const lines = (last + text).split("\n");
      last = lines.pop();
      for (const line of lines) {
        if (line.startsWith("{")) resolve(JSON.parse(line));
        else console.log(line);
      }
    });
    child.on("error", reject);
    child.on("close", (code) => reject(new Error(`the simulation ended with ${code}`)));
  });
}

function add(a, b) {
  const answers = { ...a.answers };
  for (const [name, count] of Object.entries(b.answers)) answers[name] += count;
  return {
    seeds: a.seeds + b.seeds,
    failed: a.failed + b.failed,
    broken: [...new Set([...a.broken, ...b.broken])],
    events: a.events + b.events,
    answers,
    seconds: Math.max(a.seconds, b.seconds),
  };
}
