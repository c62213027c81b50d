import { world } from "../world/world.js";
import { fileOf } from "./fsPromises.js";

/** `fs-native-extensions`: locks of open files, which end with their process. */
export function tryLock(fd: number): boolean {
  const file = fileOf(fd);
  const { current } = world();
  if (file.lockedBy?.isAlive === true && file.lockedBy !== current) return false;
  file.lockedBy = current;
  return true;
}

export default { tryLock };
