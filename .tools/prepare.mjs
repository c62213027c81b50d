import "./lib/requireNode.mjs";
import { install, isInstalled } from "./lib/install.mjs";
import { withLock } from "./lib/lock.mjs";
import { StepError, say } from "./lib/run.mjs";
import { isFresh, snapshot } from "./lib/stamp.mjs";
import { firstTargets, targetLines } from "./lib/targets.mjs";

/**
 * Installs and builds what is missing or stale; returns at once when nothing is. Ends the process
 * with one line on failure.
 */
export const prepare = () => make(targetLines);

/**
 * The same, of what checks of the sources read: the packages, and sources that are made from
 * others.
 */
export const prepareSources = () => make([]);

async function make(lines) {
  if (isInstalled() && [firstTargets, ...lines].flat().every(isFresh)) return;
  try {
    await withLock(async () => {
      if (!isInstalled()) await install();
      await buildStale(firstTargets);
      await Promise.all(lines.map(buildStale));
    });
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    say(error.message);
    process.exit(1);
  }
}

async function buildStale(targets) {
  for (const target of targets) {
    if (!isFresh(target)) await build(target);
  }
}

async function build(target) {
  const startedMs = performance.now();
  const inputs = snapshot(target);
  await target.build();
  inputs.keep();
  say(`built ${target.name} in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
}
