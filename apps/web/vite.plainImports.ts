import type { Plugin } from "vite";

const helper = "\0vite/preload-helper.js";
const prefix = "\0hadal/plain-import";

/**
 * Imports on demand as they are written. Vite calls them through a function that first loads the style
 * sheets of a part; an embedded chart has none. The element has a copy of the function that is
 * left: it would wait for the part in which the other is.
 */
export function plainImports(element: string): Plugin {
  return {
    name: "hadal:plain-imports",
    enforce: "pre",
    resolveId(source, importer) {
      if (source !== helper) return null;
      return `${prefix}${importer === element ? "-of-element" : ""}.js`;
    },
    load(id) {
      return id.startsWith(prefix) ? "export const __vitePreload = (load) => load();" : null;
    },
  };
}
