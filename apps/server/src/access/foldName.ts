/** Names of users are compared by this. */
export const foldName = (name: string): string => name.normalize("NFC").toLowerCase();
