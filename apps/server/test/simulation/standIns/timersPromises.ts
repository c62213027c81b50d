import * as timers from "./globals.js";

export const setTimeout = <Value>(ms = 0, value?: Value): Promise<Value | undefined> =>
  new Promise((resolve) => {
    timers.setTimeout(() => resolve(value), ms);
  });

export const setImmediate = <Value>(value?: Value): Promise<Value | undefined> =>
  new Promise((resolve) => {
    timers.setImmediate(() => resolve(value));
  });
