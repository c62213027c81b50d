/** Sends a message to the process that started this one. A parent that has ended is no error. */
export function sendToParent(message: object): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
