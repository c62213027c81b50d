/** The range of event times, [from, to): year 1 to the end of year 9999, the years of four digits in ISO-8601. */
export const allTime = { from: -62_135_596_800_000, to: 253_402_300_800_000 } as const;
