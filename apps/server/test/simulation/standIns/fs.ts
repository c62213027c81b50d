import { systemError } from "../world/disk.js";

/** `node:fs`: nothing of it is used where the program runs, beside questions for optional files. */
export const existsSync = (): boolean => false;
const refuse = (path: string): never => {
  throw systemError("ENOSYS", "a blocking call", String(path));
};
export const readFileSync = refuse;
export const writeFileSync = refuse;
export const openSync = refuse;
export const closeSync = refuse;
export const statSync = refuse;
export const fstatSync = refuse;
export const lstatSync = refuse;
export const statfsSync = refuse;
export const readSync = refuse;
export const writeSync = refuse;
export const mkdirSync = refuse;
export const rmSync = refuse;
export const accessSync = refuse;
export const realpathSync = refuse;
export const constants = {};
export const watch = () => ({ close: () => undefined, on: () => undefined });
