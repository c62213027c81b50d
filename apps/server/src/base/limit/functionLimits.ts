/** What one run of a user's function may take. Each is named in the Problem that it causes. */
export interface FunctionLimits {
  /** Milliseconds of processor time for a slice of {@link sliceRows} rows, or for any other single call. */
  readonly functionCpuMs: number;
  /** Of the JavaScript heap inside the sandbox, for one function of one query. */
  readonly functionMemoryBytes: number;
  /** Text that one slice of rows may return, as JSON; the states of an aggregate function alike. */
  readonly functionOutputBytes: number;
  readonly functionStackBytes: number;
}

export const functionLimitsDefault: FunctionLimits = {
  functionCpuMs: 100,
  functionMemoryBytes: 64 * 2 ** 20,
  functionOutputBytes: 2 ** 20,
  functionStackBytes: 64 * 1024,
};

/** Least and most that each can be set to. */
export const functionLimitRanges: {
  readonly [Name in keyof FunctionLimits]: readonly [number, number];
} = {
  functionCpuMs: [10, 10_000],
  functionMemoryBytes: [8 * 2 ** 20, 512 * 2 ** 20],
  functionOutputBytes: [4_096, 16 * 2 ** 20],
  // QuickJS lives on the stack of its thread: with 128 KB and more the thread throws before QuickJS notices.
  functionStackBytes: [16 * 1024, 64 * 1024],
};

/** Rows between two looks at the limits: a slice of a fast function takes some 50 microseconds. */
export const sliceRows = 256;

/** Lines that `console.log` leaves are cut here, in UTF-16 units over all of them. */
export const functionLogUnitsMax = 16_384;

/** `strict`: functions of the sandbox run only where it has no network, no rights and no user that owns anything. */
export type SandboxIsolation = "strict" | "weak";
