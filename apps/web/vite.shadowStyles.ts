import { readFile } from "node:fs/promises";
import { transform } from "esbuild";
import { normalizePath, type Plugin, preprocessCSS, type ResolvedConfig } from "vite";

const suffix = ".in-shadow.js";
const sheets = `${normalizePath(import.meta.dirname)}/src/embed/style/sheets.ts`;

/**
 * Style sheets as modules that add themselves to every chart's shadow tree, instead of files that
 * a page links: those do not apply within a shadow tree, and would apply to the page around it.
 */
export function shadowStyles(): Plugin {
  let config: ResolvedConfig;
  return {
    name: "hadal:shadow-styles",
    enforce: "pre",
    configResolved(resolved) {
      config = resolved;
    },
    async resolveId(source, importer) {
      if (!source.endsWith(".css")) return null;
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found === null ? null : `\0${found.id}${suffix}`;
    },
    async load(id) {
      if (!id.startsWith("\0") || !id.endsWith(suffix)) return null;
      const file = id.slice(1, -suffix.length);
      const { code, modules = {} } = await preprocessCSS(
        await readFile(file, "utf8"),
        file,
        config,
      );
      const { code: css } = await transform(code, {
        loader: "css",
        minify: true,
        target: "es2022",
      });
      return {
        code: [
          `import { addStyles } from ${JSON.stringify(sheets)};`,
          `addStyles(${JSON.stringify(css)});`,
          `export default ${JSON.stringify(modules)};`,
        ].join("\n"),
        moduleSideEffects: true,
      };
    },
  };
}
