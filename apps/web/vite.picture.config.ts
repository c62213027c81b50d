import { defaultServerConditions, defineConfig, type Plugin } from "vite";

/** The views' components are for pages: the specs name how they are loaded, and no picture loads them. */
const withoutComponents: Plugin = {
  name: "without components",
  enforce: "pre",
  resolveId: {
    order: "pre",
    handler: (id, importer) =>
      /\/view\/[^/]+\/\w*[sS]pec\.ts$/.test(importer ?? "") && /View\.js$/.test(id)
        ? "\0page"
        : null,
  },
  load: (id) => (id === "\0page" ? "export {};" : null),
};

/** The bundle with which the server draws pictures: no page, no window, one file. */
export default defineConfig({
  plugins: [withoutComponents],
  // Conditions outside of `ssr` are for pages only: @hadal/sdk would be what was last built of it.
  ssr: { noExternal: true, resolve: { conditions: ["source", ...defaultServerConditions] } },
  publicDir: false,
  build: {
    ssr: "src/picture/picture.ts",
    outDir: "dist/picture",
    emptyOutDir: true,
    target: "node20",
    rolldownOptions: {
      output: { entryFileNames: "picture.js", codeSplitting: false },
      // Packages of components say that they run in browsers.
      checks: { moduleLevelDirective: false },
    },
  },
});
