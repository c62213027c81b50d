/** The file is whole, but another version of the program wrote it. */
export class OtherVersion extends Error {}
