import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig, normalizePath, type Rolldown } from "vite";
import { plainImports } from "./vite.plainImports.ts";
import { shadowStyles } from "./vite.shadowStyles.ts";

const source = `${normalizePath(import.meta.dirname)}/src/`;
const embed = `${source}embed/`;
const timesFolders = ["chart/view/timeseries/", "chart/kit/time/"].map((path) => source + path);

/**
 * One file of what every chart needs, and two of the view of times: what it shares with others, and
 * its own. Without this there is a file for each set of views that share a module.
 */
function firstFile(id: string, context: Rolldown.ChunkingContext): string | null {
  const { element, chart, times } = graphOf(context);
  if (element.has(id)) return null;
  if (chart.has(id)) return "chart";
  if (!times.has(id)) return null;
  const isOwn = timesFolders.some((folder) => id.startsWith(folder)) || id.includes("/uplot/");
  return isOwn ? "times" : "parts";
}

interface Graph {
  readonly element: ReadonlySet<string>;
  readonly chart: ReadonlySet<string>;
  readonly times: ReadonlySet<string>;
}

const graphs = new WeakMap<Rolldown.ChunkingContext, Graph>();

function graphOf(context: Rolldown.ChunkingContext): Graph {
  const known = graphs.get(context);
  if (known !== undefined) return known;
  const graph: Graph = {
    element: importedBy(`${embed}hadalChart.ts`, context),
    chart: importedBy(`${embed}mount/mountChart.tsx`, context),
    times: importedBy(`${source}chart/view/timeseries/TimeView.tsx`, context),
  };
  graphs.set(context, graph);
  return graph;
}

/** The module and all that it imports, whichever way. */
function importedBy(module: string, context: Rolldown.ChunkingContext): ReadonlySet<string> {
  const found = new Set([module]);
  for (const one of found) {
    for (const imported of context.getModuleInfo(one)?.importedIds ?? []) found.add(imported);
  }
  return found;
}

/**
 * `<hadal-chart>` and the iframe page, which other origins load: two files whose names never
 * change, and their parts, whose addresses are relative to the file that asks for them.
 */
export default defineConfig({
  base: "./",
  publicDir: false,
  plugins: [
    shadowStyles(),
    plainImports(`${embed}hadalChartElement.ts`),
    react({ compiler: true }),
  ],
  resolve: { conditions: ["source", ...defaultClientConditions] },
  build: {
    outDir: "dist-embed",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      input: { "hadal-chart": "src/embed/hadalChart.ts", frame: "src/embed/frame.ts" },
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "assets/[name]-[hash].js",
        assetFileNames: "assets/[name]-[hash][extname]",
        codeSplitting: { groups: [{ name: firstFile, debugName: "first files" }] },
      },
    },
  },
});
