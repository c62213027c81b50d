import { crc32 } from "node:zlib";

/** Of a row's values, in the order given. Databases keep none: a flipped bit on the disk would be read as another value. */
export const checksumOf = (values: readonly (string | number | null)[]): string =>
  crc32(JSON.stringify(values)).toString(16).padStart(8, "0");

/** A row whose values are not those that were written. */
export class DamagedRow extends Error {
  readonly id: string;

  constructor(id: string, name: string) {
    super(`${name} is damaged: its checksum is wrong`);
    this.id = id;
  }
}
