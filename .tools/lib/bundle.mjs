import { readFileSync } from "node:fs";
import { at } from "./paths.mjs";
import { StepError } from "./run.mjs";

/**
 * Bundles entries of apps/server into apps/server/dist. Our own packages are bundled from source;
 * everything from npm stays outside, resolved from node_modules at run time.
 */
export async function bundleServer(entryPoints) {
  // Not there before the packages are installed.
  const { build } = await import("esbuild");
  const manifest = JSON.parse(readFileSync(at("apps/server/package.json"), "utf8"));
  const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const external = names
    .filter((name) => !name.startsWith("@hadal/"))
    .flatMap((name) => [name, `${name}/*`]);
  try {
    await build({
      absWorkingDir: at("apps/server"),
      entryPoints,
      outdir: "dist",
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      conditions: ["source"],
      external,
      sourcemap: true,
      logLevel: "error",
    });
  } catch {
    throw new StepError("bundling the server failed; the reason is above");
  }
}
