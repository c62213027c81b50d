import type { HadalError, SignInWays } from "@hadal/sdk";
import { createStore, type StoreApi } from "zustand/vanilla";

export interface GateSnapshot {
  /** How to sign in, while requests wait for it; null: none waits. */
  readonly ways: SignInWays | null;
}

/** Requests that the server refuses because no one is signed in wait here, and are sent again afterwards. */
export interface SignInGate
  extends Pick<StoreApi<GateSnapshot>, "getState" | "getInitialState" | "subscribe"> {
  readonly fetch: typeof fetch;
  /** The requests that wait are sent again. */
  open(): void;
}

export function createSignInGate(send: typeof fetch): SignInGate {
  const store = createStore<GateSnapshot>(() => ({ ways: null }));
  let waiting: (() => void)[] = [];
  const wait = (ways: SignInWays, signal: AbortSignal | null | undefined): Promise<void> => {
    store.setState({ ways });
    return new Promise((resolve, reject) => {
      waiting.push(resolve);
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  };
  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    async fetch(input, init) {
      for (;;) {
        const response = await send(input, init);
        // A wrong password must not wait for a right one.
        const waits = response.status === 401 && !/\/session(\?|$)/.test(String(input));
        const ways = waits ? await waysOf(response) : null;
        if (ways === null) return response;
        await wait(ways, init?.signal);
      }
    },
    open() {
      const released = waiting;
      waiting = [];
      store.setState({ ways: null });
      for (const release of released) release();
    },
  };
}

/** null: the answer is not Hadal's, but a proxy's. */
async function waysOf(response: Response): Promise<SignInWays | null> {
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return signInWaysOf(problem);
}

function signInWaysOf(problem: unknown): SignInWays | null {
  const { signIn } = (problem ?? {}) as { readonly signIn?: Partial<SignInWays> };
  if (typeof signIn !== "object" || signIn === null) return null;
  return {
    password: signIn.password === true,
    oidc: typeof signIn.oidc === "string" ? signIn.oidc : null,
  };
}

export const isSignedOut = (error: HadalError): boolean => error.code === "unauthenticated";
