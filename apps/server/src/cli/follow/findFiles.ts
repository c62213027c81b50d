import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { glob, isDynamicPattern } from "tinyglobby";

/** A file as it was found. */
export interface FoundFile {
  readonly path: string;
  /** Device and inode: the same whatever the file is called. */
  readonly identity: string;
  readonly bytes: number;
}

/** Not lines of text, or on their way to another name. */
const ignored = ["gz", "zst", "bz2", "xz", "lz4", "zip", "tmp", "swp"].map((end) => `**/*.${end}`);

/** The files that exist of paths, patterns and folders (these with all that is in them). */
export async function findFiles(patterns: readonly string[]): Promise<readonly FoundFile[]> {
  const paths = await Promise.all(patterns.map(pathsOf));
  const found = await Promise.all([...new Set(paths.flat())].map(describeFile));
  const files = new Map<string, FoundFile>();
  for (const file of found)
    if (file !== null && !files.has(file.identity)) files.set(file.identity, file);
  return [...files.values()];
}

/** null: there is none by this name, or it is no file. */
export async function describeFile(path: string): Promise<FoundFile | null> {
  try {
    const found = await stat(path, { bigint: true });
    if (!found.isFile()) return null;
    return { path, identity: `${found.dev}-${found.ino}`, bytes: Number(found.size) };
  } catch (error) {
    if (isGone(error) || isRefused(error)) return null;
    throw error;
  }
}

async function pathsOf(pattern: string): Promise<readonly string[]> {
  const path = resolve(pattern);
  const found = await stat(path).catch((error: unknown) => {
    if (isGone(error) || isRefused(error)) return null;
    throw error;
  });
  if (found?.isDirectory() === true) {
    const names = await glob("**/*", { cwd: path, ignore: ignored });
    return names.map((name) => join(path, name));
  }
  // A name with brackets may be that of a file.
  if (found !== null || !isDynamicPattern(pattern)) return [path];
  return glob(pattern, { absolute: true, ignore: ignored, expandDirectories: false });
}

/** One file that may not be read must not end the following of others. */
export function isRefused(error: unknown): boolean {
  return ["EACCES", "EPERM", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "");
}

export function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ENOTDIR";
}
