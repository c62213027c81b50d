import { useRef } from "react";
import { type CountSample, withSample } from "./rateMeter.js";

/** Samples of a polled value for rates: one for each value that arrived. */
export function useSamples<T>(
  value: T | null,
  atMs: number,
  countsOf: (value: T) => ReadonlyMap<string, number>,
): readonly CountSample[] {
  const samples = useRef<readonly CountSample[]>([]);
  if (value !== null && samples.current.at(-1)?.atMs !== atMs) {
    samples.current = withSample(samples.current, { atMs, counts: countsOf(value) });
  }
  return samples.current;
}
