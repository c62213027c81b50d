/** A transport of pino: `pino({ transport: { target: "@hadal/sdk/pino", options: { url, table } } })`. */
export type { HadalPinoOptions } from "./pino/pinoTransport.js";
export { pinoTransport as default } from "./pino/pinoTransport.js";
