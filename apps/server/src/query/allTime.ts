/** The whole range of time that a row can have. */
export const allTime = { from: -62_135_596_800_000, to: 253_402_300_800_000 } as const;
