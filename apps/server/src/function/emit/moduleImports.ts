import { scaledNumber } from "../../base/number/scaledNumber.js";

/**
 * What emitted code calls for the rows that plain instructions cannot do: remainders of numbers that are not small whole
 * ones, powers, and the decimal digits of large fractions.
 */
export const moduleImports = {
  remainder: (a: number, b: number): number => a % b,
  power: (a: number, b: number): number => a ** b,
  scaled: (value: number, decimals: number): bigint => BigInt(scaledNumber(value, decimals) ?? 0),
  isScaled: (value: number, decimals: number): number =>
    scaledNumber(value, decimals) === null ? 0 : 1,
} as const;

/** Their indexes as functions; the module's own follow. */
export const importIndex = { remainder: 0, power: 1, scaled: 2, isScaled: 3 } as const;
export const importCount = 4;
