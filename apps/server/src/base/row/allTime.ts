/** The whole range of time that a row can have, [from, to): year 1 to the end of year 9999, which is what ISO-8601 writes with four digits. */
export const allTime = { from: -62_135_596_800_000, to: 253_402_300_800_000 } as const;
