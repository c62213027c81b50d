/** Sends a message to the process that started this one. A parent that has ended is no error. */
export function sendToParent(message: object, onSent: () => void = () => undefined): void {
  if (process.connected) process.send?.(message, undefined, undefined, onSent);
  else onSent();
}
