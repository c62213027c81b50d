import { sampleRateMax } from "../../model/schema.js";
import { groupSampler } from "./groupSampler.js";
import type { Sampler, SamplerDeps, Sampling } from "./sampling.js";
import { valueText } from "./valueText.js";

const realDeps: SamplerDeps = { random: Math.random, now: () => performance.now() };

/** Throws a RangeError where the sampling is none. */
export function createSampler(sampling: Sampling, deps: SamplerDeps = realDeps): Sampler {
  if ("rowsPerSecond" in sampling) {
    const { rowsPerSecond, by } = sampling;
    checkWhole("rowsPerSecond", rowsPerSecond);
    return groupSampler(rowsPerSecond, typeof by === "string" ? [by] : by, deps);
  }
  const { oneIn, by } = sampling;
  checkWhole("oneIn", oneIn);
  const isKept = (): boolean => deps.random() * oneIn < 1;
  return (row) => {
    const key = by === undefined ? null : valueText(row, by);
    return (key === null ? isKept() : hashOf(key) * oneIn < 2 ** 32) ? oneIn : null;
  };
}

function checkWhole(name: string, value: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= sampleRateMax) return;
  throw new RangeError(`${name} is a whole number from 1 to ${sampleRateMax}; found ${value}.`);
}

/** FNV-1a with the last steps of MurmurHash3: the same text is in or out in every process. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
