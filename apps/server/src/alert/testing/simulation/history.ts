import type { SharedParts } from "./sharedParts.js";
import type { SimulatedGateway } from "./simulatedGateway.js";

/** What happens in one world, and in the end what has happened. */
export interface History extends SharedParts {
  /** As they run now; one that was killed stays until the next one starts. */
  readonly gateways: SimulatedGateway[];
  /** In it there are no faults, and all earlier ones are mended. */
  readonly quiet: { readonly fromMs: number; readonly toMs: number };
}
