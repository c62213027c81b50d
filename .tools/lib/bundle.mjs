import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { at } from "./paths.mjs";
import { StepError } from "./run.mjs";

const outdir = at("apps/server/dist");
const partPrefix = "part-";

/** Many small files that every process reads as it starts: bundled they take half the time. */
const startPackages = new Set([
  ...["@fastify/helmet", "@fastify/static", "acorn", "cli-progress", "commander", "fastify"],
  ...["ajv", "kysely", "prom-client", "ws"],
]);

/** What these find around them, being CommonJS. */
const commonJs = `import { createRequire as createRequire__ } from "node:module";
import { dirname as dirname__ } from "node:path";
import { fileURLToPath as fileURLToPath__ } from "node:url";
const require = createRequire__(import.meta.url);
const __filename = fileURLToPath__(import.meta.url);
const __dirname = dirname__(__filename);`;

/**
 * Bundles the program. What it imports on demand is in files of its own: a command loads no more
 * than it needs.
 */
export function bundleProgram(entryPoints) {
  mkdirSync(outdir, { recursive: true });
  for (const name of readdirSync(outdir)) {
    if (name.startsWith(partPrefix)) rmSync(join(outdir, name));
  }
  return bundle(entryPoints, {
    external: packageNames().filter((name) => !startPackages.has(name)),
    banner: { js: commonJs },
    splitting: true,
    chunkNames: `${partPrefix}[name]-[hash]`,
    // Names stay, for stack traces.
    minifyWhitespace: true,
  });
}

/** Bundles scripts of other processes and threads, each into one file. */
export function bundleScripts(entryPoints) {
  return bundle(entryPoints, { external: packageNames() });
}

/**
 * Bundles entries of apps/server into apps/server/dist. Our own packages are bundled from source;
 * `external` is resolved from node_modules at run time.
 */
async function bundle(entryPoints, { external, ...options }) {
  // Not there before the packages are installed.
  const { build } = await import("esbuild");
  try {
    await build({
      absWorkingDir: at("apps/server"),
      entryPoints,
      outdir,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      conditions: ["source"],
      external: external.flatMap((name) => [name, `${name}/*`]),
      sourcemap: true,
      // Objects put together of literals become one literal: V8 takes half a microsecond to do that
      // each time.
      minifySyntax: true,
      logLevel: "error",
      ...options,
    });
  } catch {
    throw new StepError("bundling the server failed; the reason is above");
  }
}

function packageNames() {
  const manifest = JSON.parse(readFileSync(at("apps/server/package.json"), "utf8"));
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  return names.filter((name) => !name.startsWith("@hadal/"));
}
