/** What the frame sends to the page around it: `{hadal: "tokenexpiring"}`, and the chart's events with their details. */
export interface FrameMessage {
  readonly hadal: string;
  readonly detail?: unknown;
}

/** The page around the frame. The browser shows the frame only within the pages that the embed allows (`frame-ancestors`). */
export interface ParentPage {
  send(message: FrameMessage): void;
  /** Called with each token that the page sends: `{hadal: "token", token}`. */
  onToken(listener: (token: string) => void): void;
}

/** null: the frame is a page of its own. */
export function parentPage(frame: Window): ParentPage | null {
  const { parent } = frame;
  if (parent === frame) return null;
  let origin = parentOrigin(frame);
  return {
    send(message) {
      // Not to a page that has taken the parent's place meanwhile.
      if (origin !== null) parent.postMessage(message, origin);
    },
    onToken(listener) {
      frame.addEventListener("message", (event) => {
        if (event.source !== parent || (origin !== null && event.origin !== origin)) return;
        const token = tokenOf(event.data);
        if (token === null) return;
        origin ??= event.origin;
        listener(token);
      });
    },
  };
}

/** null: this browser does not say. */
function parentOrigin({ location, document }: Window): string | null {
  const [nearest] = location.ancestorOrigins ?? [];
  if (nearest !== undefined && nearest !== "null") return nearest;
  return URL.canParse(document.referrer) ? new URL(document.referrer).origin : null;
}

function tokenOf(message: unknown): string | null {
  const { hadal, token } = (message ?? {}) as {
    readonly hadal?: unknown;
    readonly token?: unknown;
  };
  return hadal === "token" && typeof token === "string" && token !== "" ? token : null;
}
