import { dirname, posix } from "node:path";
import ts from "typescript";

/**
 * Folders by the number of files that stand in them directly, rooms not counted: `{ path, fileCount
 * }`.
 */
export function countFolders(sources) {
  const counts = new Map();
  for (const { path } of sources) {
    const folder = dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].map(([path, fileCount]) => ({ path, fileCount })).sort(byMost("fileCount"));
}

/**
 * The longest chain of imports between the files of each folder of a package, its rooms included:
 * `{ path, levels, chain }`. A chain says how many files a reader may have to open.
 */
export function measureLevels(sources) {
  const imports = readImports(sources);
  const folders = new Map();
  for (const { path } of sources) {
    const folder = /^(?:apps|packages)\/[^/]+\/(?:src\/[^/]+|assembly)(?=\/)/.exec(path)?.[0];
    if (folder !== undefined) folders.set(folder, [...(folders.get(folder) ?? []), path]);
  }
  return [...folders]
    .map(([path, files]) => longestChain(path, files, imports))
    .sort(byMost("levels"));
}

function longestChain(path, files, imports) {
  const inside = new Set(files);
  const chains = new Map();
  const chainFrom = (file, open) => {
    const known = chains.get(file);
    if (known !== undefined) return known;
    let longest = [];
    for (const next of imports.get(file) ?? []) {
      // The import rules forbid cycles; should there be one, this must still end.
      if (!inside.has(next) || open.has(next)) continue;
      const chain = chainFrom(next, new Set([...open, next]));
      if (chain.length > longest.length) longest = chain;
    }
    const chain = [file, ...longest];
    chains.set(file, chain);
    return chain;
  };
  const all = files.map((file) => chainFrom(file, new Set([file])));
  const [chain] = all.sort((a, b) => b.length - a.length);
  return { path, levels: chain.length, chain };
}

/** Path → paths of the files that it imports relatively. */
function readImports(sources) {
  const known = new Set(sources.map(({ path }) => path));
  return new Map(
    sources.map(({ path, text }) => {
      const { importedFiles } = ts.preProcessFile(text, true, true);
      const targets = importedFiles.flatMap(({ fileName }) => {
        if (!fileName.startsWith(".")) return [];
        const target = posix.join(dirname(path), fileName);
        const stem = target.replace(/\.js$/, "");
        return [target, `${stem}.ts`, `${stem}.tsx`].find((one) => known.has(one)) ?? [];
      });
      return [path, targets];
    }),
  );
}

export const byMost = (key) => (a, b) => b[key] - a[key] || (a.path < b.path ? -1 : 1);
