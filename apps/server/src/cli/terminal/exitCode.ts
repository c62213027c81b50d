export const exitCodes = { fine: 0, failed: 1, wrongUsage: 2, interrupted: 130 } as const;
