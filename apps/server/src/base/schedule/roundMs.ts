/** To whole microseconds: no clock here is finer. */
export const roundMs = (ms: number): number => Math.round(ms * 1_000) / 1_000;
