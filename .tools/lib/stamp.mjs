import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { at, cache } from "./paths.mjs";

/**
 * Whether `outputs` are what `inputs` would build. Times and sizes answer first; where they differ
 * (a checkout, a copy), the content decides, so that touching a file rebuilds nothing.
 */
export function isFresh(target) {
  if (!target.outputs.every((path) => existsSync(at(path)))) return false;
  const stamp = readStamp(target.name);
  const files = listInputs(target.inputs);
  if (stamp?.times === timesOf(files)) return true;
  if (stamp?.content !== contentOf(files)) return false;
  writeStamp(target, files);
  return true;
}

/**
 * What the target's inputs are now: taken before a build, kept after it, so that an edit during the
 * build is seen.
 */
export function snapshot(target) {
  const files = listInputs(target.inputs);
  const stamp = stampOf(files);
  return { keep: () => saveStamp(target.name, stamp) };
}

function writeStamp(target, files) {
  try {
    saveStamp(target.name, stampOf(files));
  } catch {
    // A read-only folder: everything is built, only the next check stays slower.
  }
}

const stampOf = (files) => ({ times: timesOf(files), content: contentOf(files) });

const stampFile = (name) => join(cache, "build", `${name}.json`);

function saveStamp(name, stamp) {
  mkdirSync(dirname(stampFile(name)), { recursive: true });
  writeFileSync(stampFile(name), JSON.stringify(stamp));
}

function readStamp(name) {
  try {
    return JSON.parse(readFileSync(stampFile(name), "utf8"));
  } catch {
    return undefined;
  }
}

const isTest = (name) => /\.test\.\w+$/.test(name);

function listInputs(inputs) {
  const files = [];
  const visit = (path) => {
    const stat = statSync(at(path), { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (stat.isDirectory()) {
      for (const name of readdirSync(at(path)).sort()) if (!isTest(name)) visit(join(path, name));
    } else {
      files.push({ path, size: stat.size, timeMs: stat.mtimeMs });
    }
  };
  for (const input of inputs) visit(input);
  return files;
}

function timesOf(files) {
  const hash = createHash("sha1");
  for (const { path, size, timeMs } of files) hash.update(`${path}\0${size}\0${timeMs}\n`);
  return hash.digest("hex");
}

function contentOf(files) {
  const hash = createHash("sha1");
  for (const { path, size } of files) {
    hash.update(`${path}\0${size}\n`);
    hash.update(readFileSync(at(path)));
  }
  return hash.digest("hex");
}
