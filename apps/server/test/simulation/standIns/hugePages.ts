/** Memories are small, and used again. */
export const adviseHugePages = async (): Promise<null> => null;
