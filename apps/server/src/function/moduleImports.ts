import { scaledNumber } from "../base/scaledNumber.js";

/**
 * What emitted code calls for the few rows that plain instructions cannot do: remainders of numbers that are not small
 * whole ones, and the decimal digits of large fractions.
 */
export const moduleImports = {
  remainder: (a: number, b: number): number => a % b,
  scaled: (value: number, decimals: number): bigint => BigInt(scaledNumber(value, decimals) ?? 0),
  isScaled: (value: number, decimals: number): number =>
    scaledNumber(value, decimals) === null ? 0 : 1,
} as const;

/** Their indexes as functions; the module's own follow. */
export const importIndex = { remainder: 0, scaled: 1, isScaled: 2 } as const;
export const importCount = 3;
