/** Tells the process that started this one. One that is gone hears nothing: a message on its way to it is no fault. */
export function sendToParent(message: object): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
