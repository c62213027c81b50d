import { copyFileSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { bundleProgram, bundleScripts } from "./bundle.mjs";
import { compressFiles } from "./compressFiles.mjs";
import { firstFiles } from "./firstFiles.mjs";
import { generateParser } from "./grammar.mjs";
import { at } from "./paths.mjs";
import { runNode, StepError, say } from "./run.mjs";

const shared = ["tsconfig.base.json", "package-lock.json"];
const wasmNames = ["kernel.wasm", "json.wasm"];
const wasmFiles = wasmNames.map((name) => `packages/kernel-wasm/build/${name}`);

const grammar = "packages/sdk/src/lang/parse/sql.peggy";
const parser = "packages/sdk/src/lang/parse/generated/sqlParser.ts";

/** What everything else is built from: made before the rest. */
export const firstTargets = [
  {
    name: "grammar",
    inputs: [grammar, ".tools/lib/grammar.mjs", ...shared],
    outputs: [parser],
    build: () => generateParser(grammar, parser),
  },
];

const kernelAndServer = [
  {
    name: "kernel",
    inputs: [
      ...["assembly", "build.mjs", "package.json"].map((path) => `packages/kernel-wasm/${path}`),
      ...shared,
    ],
    outputs: wasmFiles,
    build: () => script("the kernel", ["packages/kernel-wasm/build.mjs"]),
  },
  {
    name: "server",
    inputs: [
      "apps/server/src",
      "apps/server/package.json",
      "packages/sdk/src",
      "packages/kernel-wasm/src",
      // Constants both sides of the kernel share.
      "packages/kernel-wasm/assembly",
      ...wasmFiles,
      ".tools/lib/bundle.mjs",
      ...shared,
    ],
    outputs: [
      ...[
        "hadal.js",
        "gateway.js",
        "scanThread.js",
        "readThread.js",
        "pictureThread.js",
        "demo.js",
        "sandbox.js",
        "sandboxThread.js",
      ],
      ...wasmNames,
    ].map((file) => `apps/server/dist/${file}`),
    build: async () => {
      await bundleProgram({ hadal: "src/cli/main.ts", gateway: "src/role/gatewayMain.ts" });
      await bundleScripts({
        scanThread: "src/scan/thread/scanThread.ts",
        readThread: "src/ingest/read/readThread.ts",
        pictureThread: "src/picture/pictureThread.ts",
        demo: "src/demo/main.ts",
        sandbox: "src/function/sandbox/sandboxMain.ts",
        sandboxThread: "src/function/sandbox/sandboxThread.ts",
      });
      for (const name of wasmNames)
        copyFileSync(at(`packages/kernel-wasm/build/${name}`), at(`apps/server/dist/${name}`));
    },
  },
];

const webAndSdk = [
  {
    name: "web",
    inputs: [
      ...["src", "public", "index.html", "vite.config.ts", "package.json"].map(
        (path) => `apps/web/${path}`,
      ),
      "packages/sdk/src",
      ".tools/lib/compressFiles.mjs",
      ...shared,
    ],
    outputs: ["apps/web/dist/app/index.html"],
    build: async () => {
      await script("the web app", [at("node_modules/vite/bin/vite.js"), "build"], at("apps/web"));
      await compressFiles(at("apps/web/dist/app"));
    },
  },
  {
    name: "pictures",
    inputs: [
      ...["src", "vite.picture.config.ts", "package.json"].map((path) => `apps/web/${path}`),
      "packages/sdk/src",
      ...shared,
    ],
    outputs: ["apps/web/dist/picture/picture.js"],
    build: () =>
      script(
        "the pictures",
        [at("node_modules/vite/bin/vite.js"), "build", "--config", "vite.picture.config.ts"],
        at("apps/web"),
      ),
  },
  {
    name: "embedded charts",
    inputs: [
      ...["src", "package.json"].map((path) => `apps/web/${path}`),
      ...["embed.config", "plainImports", "shadowStyles"].map((name) => `apps/web/vite.${name}.ts`),
      "packages/sdk/src",
      ...["compressFiles", "firstFiles"].map((name) => `.tools/lib/${name}.mjs`),
      ...shared,
    ],
    outputs: ["hadal-chart.js", "frame.js"].map((file) => `apps/web/dist-embed/${file}`),
    build: async () => {
      const config = ["--config", "vite.embed.config.ts"];
      await script(
        "the embedded charts",
        [at("node_modules/vite/bin/vite.js"), "build", ...config],
        at("apps/web"),
      );
      await compressFiles(at("apps/web/dist-embed"));
      const { bytes, files } = firstFiles(at("apps/web/dist-embed"));
      const names = files.map((file) => basename(file)).join(", ");
      say(`<hadal-chart> loads ${(bytes / 1_024).toFixed(1)} KB gzipped before a view: ${names}`);
    },
  },
  {
    name: "sdk",
    inputs: ["packages/sdk/src", "packages/sdk/tools", "packages/sdk/tsconfig.json", ...shared],
    outputs: ["index.js", "index.d.ts", "query.json"].map((file) => `packages/sdk/dist/${file}`),
    build: async () => {
      const compiler = at("node_modules/typescript/bin/tsc");
      // The folder is what npm packs: what an older source left there would be published.
      rmSync(at("packages/sdk/dist"), { recursive: true, force: true });
      await script("the SDK", [compiler, "-b", "packages/sdk", "--force"]);
      await script("the schema of queries", ["packages/sdk/tools/writeSchema.mjs"]);
    },
  },
];

/**
 * Two lines of work side by side, as most machines have two cores; within one, each may read what
 * an earlier one built.
 */
export const targetLines = [kernelAndServer, webAndSdk];

async function script(what, args, cwd) {
  const code = await runNode(args, { quiet: true, ...(cwd === undefined ? {} : { cwd }) });
  if (code !== 0) throw new StepError(`building ${what} failed; the reason is above`);
}
