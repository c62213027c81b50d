/** Limits of one run of a user's function. The Problem for exceeding one contains its name. */
export interface FunctionLimits {
  /** Milliseconds of processor time for a slice of {@link sliceRows} rows, or for any other single call. */
  readonly functionCpuMs: number;
  /** JavaScript heap inside the sandbox, for one function of one query. */
  readonly functionMemoryBytes: number;
  /** JSON text that one slice of rows may return, also for the states of an aggregate function. */
  readonly functionOutputBytes: number;
  readonly functionStackBytes: number;
}

export const functionLimitsDefault: FunctionLimits = {
  functionCpuMs: 100,
  functionMemoryBytes: 64 * 2 ** 20,
  functionOutputBytes: 2 ** 20,
  functionStackBytes: 64 * 1024,
};

/** Minimum and maximum of each setting. */
export const functionLimitRanges: {
  readonly [Name in keyof FunctionLimits]: readonly [number, number];
} = {
  functionCpuMs: [10, 10_000],
  functionMemoryBytes: [8 * 2 ** 20, 512 * 2 ** 20],
  functionOutputBytes: [4_096, 16 * 2 ** 20],
  // QuickJS uses the stack of its thread: from 128 KB on the thread throws before QuickJS checks.
  functionStackBytes: [16 * 1024, 64 * 1024],
};

/** Rows between two checks of the limits: a slice of a fast function takes some 50 microseconds. */
export const sliceRows = 256;

/** Maximum length of all `console.log` output, in UTF-16 units. */
export const functionLogUnitsMax = 16_384;

/** `strict`: sandboxed functions run only if the sandbox has no network, no rights and an unprivileged user. */
export type SandboxIsolation = "strict" | "weak";
