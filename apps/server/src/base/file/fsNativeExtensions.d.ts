/** The part of the package that Hadal uses; it has no types of its own. */
declare module "fs-native-extensions" {
  const extensions: {
    /** Takes an exclusive lock on an open file; false where another open file has it. Throws the system's error. */
    tryLock(fd: number): boolean;
  };
  export default extensions;
}
