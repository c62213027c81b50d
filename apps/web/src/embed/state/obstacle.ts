import { HadalError } from "@hadal/sdk";
import type { ChartSnapshot } from "./chartStore.js";

type Known = Pick<ChartSnapshot, "inputs" | "self" | "refusal" | "state">;

/** Why nothing can be asked; null: something can, or it is not known yet what. */
export function obstacleOf({ inputs, self, refusal, state }: Known): HadalError | null {
  if (inputs.fault !== null) return ofHost(inputs.fault);
  if (refusal !== null && (self === null || !refusal.retry)) {
    const isMissing = inputs.token === null && refusal.code === "unauthenticated";
    return isMissing ? ofHost("The attribute token must be an embed token.") : refusal;
  }
  if (self === null) return null;
  if (inputs.embedId !== null && inputs.embedId !== (self.id ?? self.kid)) {
    const detail = "The embed token is of another chart than the one at this address.";
    return new HadalError("token-scope", { detail });
  }
  if (state === null) return ofHost("The attribute query must be a query as JSON.");
  if (self.views.includes(state.view)) return null;
  const detail = `The embed token does not allow the view ${state.view}.`;
  return new HadalError("token-scope", { detail });
}

const ofHost = (detail: string): HadalError => new HadalError("bad-request", { detail });
