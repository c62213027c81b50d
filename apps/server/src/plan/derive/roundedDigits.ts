import { decimalsMax } from "@hadal/sdk";

/** What `round` takes as its second argument. */
export const isDigits = (digits: number): boolean =>
  Number.isInteger(digits) && digits >= 0 && digits <= decimalsMax;

export const roundedDigits = `round needs a constant whole number from 0 to ${decimalsMax} here: the digits to keep behind the point.`;
