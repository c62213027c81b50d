import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { at } from "./paths.mjs";

const simulation = at("apps/server/test/simulation");
const standIns = join(simulation, "standIns");
const sources = at("apps/server/src");

/** Packages and modules of Node.js that are simulated, and by which file. */
const packages = new Map([
  ["node:fs/promises", "fsPromises"],
  ["node:fs", "fs"],
  ["node:timers", "timers"],
  ["node:timers/promises", "timersPromises"],
  ["node:perf_hooks", "perfHooks"],
  ["node:crypto", "crypto"],
  ["node:net", "net"],
  ["node:http", "http"],
  ["node:worker_threads", "workerThreads"],
  ["node:child_process", "childProcess"],
  ["ws", "ws"],
  ["lz4-napi", "lz4"],
  ["fs-native-extensions", "fsNative"],
  ["@hadal/kernel-wasm", "kernel"],
]);

/** Files of the server at its rim that are simulated. */
const files = new Map([
  ["api/createApi.ts", "createApi"],
  ["memory/hugePages.ts", "hugePages"],
  ["role/gateway/openSources.ts", "openSources"],
  ["registry/database/sqlite.ts", "databases"],
  ["registry/database/postgres.ts", "databases"],
]);

/** Modules with a state of their own, of which each process has one: the names they export. */
const ownModules = new Map([
  ["base/schedule/deadlines.ts", ["afterMs"]],
  ["base/schedule/steps.ts", ["inTurns", "nextTurn"]],
  ["store/upkeep/nextStoreTurn.ts", ["nextStoreTurn"]],
]);

/** So that a few rows are a request of several parts; `partRowsMax` of the simulation is the same. */
const limits = [
  {
    file: "ingest/read/bodyParts.ts",
    from: "wholeRowsMax = 1_024;",
    to: "wholeRowsMax = 4;",
  },
];

const scanThread = join(sources, "scan/thread/scanThread.ts");

/**
 * Bundles the simulation with the real code of the server. `planted`: changes of single sources,
 * each of which must fit exactly once.
 */
export async function bundleSimulation(outfile, planted = []) {
  const { build, transform } = await import("esbuild");
  const edits = [...limits, ...planted];
  const unused = new Set(edits);
  const read = (path) => {
    let text = readFileSync(path, "utf8");
    for (const edit of edits) {
      if (join(sources, edit.file) !== path) continue;
      const parts = text.split(edit.from);
      if (parts.length !== 2)
        throw new Error(`${edit.file} has ${parts.length - 1} times: ${edit.from}`);
      text = parts.join(edit.to);
      unused.delete(edit);
    }
    return text;
  };
  const plugin = {
    name: "simulation",
    setup(bundle) {
      bundle.onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
        if (kind === "entry-point") return undefined;
        if (path === "./scanThreadStart.js") return { path: scanThread };
        if (importer === scanThread && path.endsWith("/plainCodec.js"))
          return { path: join(standIns, "decodedTasks.ts") };
        const isOurs = importer.startsWith(sources);
        if (isOurs && packages.has(path))
          return { path: join(standIns, `${packages.get(path)}.ts`) };
        if (!path.startsWith(".")) return undefined;
        const target = resolve(dirname(importer), path).replace(/\.js$/, ".ts");
        const file = files.get(relative(sources, target));
        return file === undefined || !isOurs ? undefined : { path: join(standIns, `${file}.ts`) };
      });
      bundle.onLoad({ filter: /\/apps\/server\/src\/.*\.ts$/ }, async ({ path }) => {
        const text = read(path);
        const own = ownModules.get(relative(sources, path));
        if (path !== scanThread && own === undefined) return { contents: text, loader: "ts" };
        const { code } = await transform(text, { loader: "ts", format: "cjs", target: "es2022" });
        if (path === scanThread)
          return { contents: `export const startScanThread = () => {\n${code}\n};`, loader: "js" };
        const make = `const make = () => { const module = { exports: {} }; let exports = module.exports;\n${code}\nreturn module.exports; };`;
        return { contents: ownModule(text, make, own), loader: "js" };
      });
    },
  };
  const result = await build({
    entryPoints: [join(simulation, "main.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "linked",
    conditions: ["source"],
    external: [
      "libsql",
      "lz4-napi",
      "pg",
      "@node-rs/argon2",
      "koffi",
      "quickjs-emscripten",
      "hyparquet*",
    ],
    plugins: [plugin],
    inject: [join(standIns, "globals.ts")],
    define: {
      "performance.now": "simPerformanceNow",
      "Date.now": "simDateNow",
      "Math.random": "simRandom",
      builtKernelFolder: JSON.stringify(at("packages/kernel-wasm/build")),
    },
    logLevel: "silent",
    banner: {
      js: 'import { createRequire as createRequire__ } from "node:module"; const require = createRequire__(import.meta.url);',
    },
  });
  const left = [...unused].map(({ file }) => file);
  if (left.length > 0) throw new Error(`not in the simulation: ${left.join(", ")}`);
  return result;
}

/** Everything else that it exports has no state. */
function ownModule(text, make, names) {
  const all = [...text.matchAll(/^export (?:async )?(?:const|function\*?|class) (\w+)/gm)].map(
    ([, name]) => name,
  );
  const world = JSON.stringify(join(simulation, "world/ownState.ts"));
  const lines = all.map((name) =>
    names.includes(name)
      ? `export const ${name} = (...parts) => ownState(make).${name}(...parts);`
      : `export const ${name} = shared.${name};`,
  );
  return [`import { ownState } from ${world};`, make, "const shared = make();", ...lines].join(
    "\n",
  );
}
