import { createResolver } from "../../plan/resolveQuery.js";
import { aggregateFunctions } from "./aggregateKinds.js";

/** Binds queries, with every aggregate that there is. */
export const { resolveQuery, resolveRows } = createResolver(aggregateFunctions);
