import { neverStops } from "../../base/schedule/steps.js";
import { TurnOrder } from "../../base/schedule/turnOrder.js";

/** Sealing and the like have turns of their own, beside those of queries: batches wait for them, whatever is asked meanwhile. */
const order = new TurnOrder();

/** Resolves when it is the caller's turn; all tables of the thread together have one in each round of its event loop. */
export const nextStoreTurn = (): Promise<void> => order.next(0, neverStops);
