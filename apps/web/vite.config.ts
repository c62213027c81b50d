import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig, normalizePath, type Rolldown } from "vite";

const chart = `${normalizePath(import.meta.dirname)}/src/chart/`;
const timesView = `${chart}view/timeseries/TimeView.tsx`;
const timesFolders = [`${chart}view/timeseries/`, `${chart}kit/time/`];

/** One chunk of what the view of times shares with others, another of what is its own. */
function firstChart(id: string, context: Rolldown.ChunkingContext): string | null {
  if (!importedBy(timesView, context).has(id)) return null;
  const isOwn = timesFolders.some((folder) => id.startsWith(folder)) || id.includes("/uplot/");
  return isOwn ? "times" : "chart";
}

const graphs = new WeakMap<Rolldown.ChunkingContext, ReadonlySet<string>>();

/** The module and all that it imports, whichever way. */
function importedBy(module: string, context: Rolldown.ChunkingContext): ReadonlySet<string> {
  const known = graphs.get(context);
  if (known !== undefined) return known;
  const found = new Set([module]);
  for (const one of found) {
    for (const imported of context.getModuleInfo(one)?.importedIds ?? []) found.add(imported);
  }
  graphs.set(context, found);
  return found;
}

/** The gateway serves dist/app; `vite` alone develops against a gateway on HADAL_URL. */
const gatewayUrl = process.env.HADAL_URL ?? "http://127.0.0.1:7400";

export default defineConfig({
  plugins: [react({ compiler: true })],
  resolve: { conditions: ["source", ...defaultClientConditions] },
  build: {
    outDir: "dist/app",
    emptyOutDir: true,
    target: "es2022",
    // Inlined files would be `data:` addresses, which a strict content security policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // A browser asks for six files at a time: what the first screen needs comes as few.
        codeSplitting: {
          groups: [
            { name: "entry", tags: ["$initial"], priority: 1 },
            { name: firstChart, debugName: "first chart" },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": { target: gatewayUrl, ws: true, changeOrigin: true } } },
});
