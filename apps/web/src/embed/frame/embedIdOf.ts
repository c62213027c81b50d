/** The embed of `/embed/{id}`, or the key of a host. */
export const embedIdOf = (path: string): string =>
  decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));
