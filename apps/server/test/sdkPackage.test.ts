import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSdkProject, type SdkProject } from "./support/sdkPackage.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

/** The SDK as it is published: packed by npm, used by a project that knows nothing of this repository. */

/** Half of it are checks and texts of problems; sign-in, tokens and grants took it beyond 16 KB. */
const gzippedBytesMax = 20 * 1_024;
const readme = readFileSync(
  fileURLToPath(new URL("../../../packages/sdk/README.md", import.meta.url)),
  "utf8",
);
const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text]) => text!);
/** What each example prints, in their order. */
const printed = [
  /^\{ accepted: 1, rejected: 0, lost: 0 \}\n$/,
  /^\{ accepted: 1, rejected: 0, lost: 0, sampledOut: 0 \}\n$/,
  /^([01]\S*\n)*1 \[[\s\S]*name: 'p95_latency_us'[\s\S]*'checkout'[\s\S]*\n$/,
  /^\S+Z checkout 1 \S+ 81\d+\n$/,
  /true 1 \[ \[ 1, 1 \] \]\n$/,
  /^1 \{"fraction":1,.*\}\n$/,
  /'tags: set'[\s\S]*\[ \{ value: 'beta', count: 1 \} \] 1\n$/,
  /^true 3\n$/,
];

const strict = {
  noEmit: true,
  // The types of the language are the same as ever: to check them takes most of the time.
  skipDefaultLibCheck: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: "es2022",
};

let project: SdkProject;
let cluster: Cluster;

/** What TypeScript says of files of the project; nothing when they are fine. */
async function compile(files: readonly string[], options: object): Promise<string> {
  const compilerOptions = { ...strict, ...options };
  await project.write("tsconfig.json", JSON.stringify({ compilerOptions, files }));
  return project.run("typescript/bin/tsc", "-p", "tsconfig.json");
}

beforeAll(async () => {
  const links = ["ws", "apache-arrow", "@types/ws", "@types/node"];
  project = await createSdkProject([
    ...links,
    "react",
    "react-dom",
    "@types/react",
    "csstype",
    "pino",
  ]);
  cluster = await startCluster({ leaves: 2 });
});

afterAll(async () => {
  await cluster?.stop();
  await project?.remove();
});

test("the package holds what is used, and neither tests nor sources", () => {
  expect(project.files).toContain("dist/index.js");
  expect(project.files).toContain("dist/index.d.ts");
  expect(project.files).toContain("dist/query.json");
  expect(project.files).toContain("README.md");
  expect(project.files.filter((path) => /test|^src\//.test(path))).toEqual([]);
});

test("it has no dependency but React, for its component, and every entry is an ES module", async () => {
  const manifest = JSON.parse(
    readFileSync(join(project.folder, "node_modules/@hadal/sdk/package.json"), "utf8"),
  ) as Record<string, unknown>;
  expect(manifest).toMatchObject({
    type: "module",
    peerDependencies: { react: ">=19" },
    peerDependenciesMeta: { react: { optional: true } },
  });
  expect(manifest.dependencies).toBeUndefined();
  await project.write(
    "entries.js",
    `import * as sdk from "@hadal/sdk";
import * as builder from "@hadal/sdk/builder";
import * as element from "@hadal/sdk/element";
import * as schema from "@hadal/sdk/schema";
import query from "@hadal/sdk/schema/query.json" with { type: "json" };
const types = [sdk.createClient, builder.from, element.loadHadalChart, schema.schemas];
console.log([...types.map((value) => typeof value), query.title].join());`,
  );
  expect(await project.run("entries.js")).toBe("function,function,function,object,Query\n");
});

test("its types stand alone: no library but those of browsers, and both ways to resolve", async () => {
  await project.write(
    "types.ts",
    `import { createClient, type Query, type Result } from "@hadal/sdk";
import { count, from } from "@hadal/sdk/builder";
import { schemas } from "@hadal/sdk/schema";
const query: Query = from("t").select(count()).toQuery();
const answer: Promise<Result> = createClient().query(query);
// @ts-expect-error: a query has a table.
const bad: Query = { from: "-1h", to: "now" };
void [answer, bad, schemas.Query];`,
  );
  const lib = ["es2022", "dom", "dom.iterable"];
  for (const [module, moduleResolution] of [
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ] as const) {
    expect(await compile(["types.ts"], { module, moduleResolution, lib, types: [] })).toBe("");
  }
});

test("its React component is an element on a server, and its props have types", async () => {
  const page = `import { HadalChart } from "@hadal/sdk/react";
import { createElement } from "react";
export const chart = createElement(HadalChart, {
  src: "https://hadal.example",
  query: { table: "requests", from: "-1h", to: "now" },
  live: true,
  className: "wide",
  onTokenExpired: async () => "token",
  onSelect: ({ filters }) => filters?.length,
  onComplete: ({ fraction }) => fraction.toFixed(2),
});`;
  const bad = `// @ts-expect-error: a chart has a server
export const without = createElement(HadalChart, {});`;
  const [, component = ""] = /```tsx\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(component).toContain("<HadalChart");
  await project.write("component.tsx", component);
  await project.write("chart.ts", `${page}\n${bad}`);
  const lib = ["es2022", "dom", "dom.iterable"];
  const options = { module: "nodenext", lib, types: [], skipLibCheck: true, jsx: "react-jsx" };
  expect(await compile(["chart.ts", "component.tsx"], options)).toBe("");
  await project.write(
    "chart.js",
    `import { renderToString } from "react-dom/server";
${page}
console.log(renderToString(chart));`,
  );
  expect(await project.run("chart.js")).toBe('<hadal-chart class="wide"></hadal-chart>\n');
});

test("pino writes to a table by its transport", async () => {
  await project.write(
    "logger.js",
    `import pino from "pino";
const options = { url: "${cluster.url}", table: "pino_logs" };
const logger = pino({ transport: { target: "@hadal/sdk/pino", options } });
logger.info({ user: { id: 9 } }, "hello");
logger.error(new Error("failed"));
logger.child({ module: "cart" }).debug("not written");
logger.flush(() => undefined);`,
  );
  await project.run("logger.js");
  const { columns, rows } = await cluster.client.query(
    "SELECT severity, level, msg, err.type, user.id FROM pino_logs WHERE time >= now() - INTERVAL '1 hour' AND time < now() + INTERVAL '1 hour' LIMIT 10",
  );
  const at = (name: string) => columns.findIndex((column) => column.name === name);
  expect(
    rows.map((row) =>
      ["severity", "level", "msg", "err.type", "user.id"].map((name) => row[at(name)]),
    ),
  ).toEqual(
    expect.arrayContaining([
      ["info", 30, "hello", null, 9],
      ["error", 50, "failed", "Error", null],
    ]),
  );
}, 60_000);

test("it is at most 20 KB gzipped, whole", async () => {
  const { outputFiles } = await build({
    stdin: { contents: 'export * from "@hadal/sdk";', resolveDir: project.folder },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
  });
  const bytes = gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
  console.log(`@hadal/sdk: ${(bytes / 1_024).toFixed(1)} KB minified and gzipped`);
  expect(bytes).toBeLessThanOrEqual(gzippedBytesMax);
});

test("every example of its README compiles", async () => {
  expect(examples).toHaveLength(printed.length);
  const names = await Promise.all(
    examples.map(async (text, i) => {
      await project.write(`example${i}.ts`, text);
      return `example${i}.ts`;
    }),
  );
  const options = { module: "nodenext", lib: ["es2023", "dom", "dom.iterable"], types: ["node"] };
  expect(await compile(names, { ...options, skipLibCheck: true })).toBe("");
});

test("every example of its README runs against the real program", async () => {
  for (const [i, text] of examples.entries()) {
    const { code } = await transform(text, { loader: "ts", format: "esm" });
    const shown = "http://127.0.0.1:7400";
    expect(code).toContain(shown);
    await project.write(`example${i}.js`, code.replaceAll(shown, cluster.url));
    expect(await project.run(`example${i}.js`)).toMatch(printed[i]!);
  }
});
