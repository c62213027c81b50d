/** For conditions that only a bug can break. Operating errors get a HadalError. */
export function assert(condition: boolean, text: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${text}`);
}

/** Ends a switch over a union: a new kind fails to compile here. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
