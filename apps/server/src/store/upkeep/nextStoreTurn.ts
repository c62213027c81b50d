import { neverStops } from "../../base/schedule/steps.js";
import { TurnOrder } from "../../base/schedule/turnOrder.js";

/**
 * Turns for sealing and similar work, separate from those of queries: batches wait for it, and must
 * not wait for queries.
 */
const order = new TurnOrder();

/**
 * Resolves when it is the caller's turn; all tables of the thread share one turn in each round of
 * its event loop.
 */
export const nextStoreTurn = (): Promise<void> => order.next(0, neverStops);
