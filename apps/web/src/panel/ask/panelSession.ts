import type { HadalClient, HadalReader } from "@hadal/sdk";

/** What a panel needs of the session. */
export interface PanelSession {
  readonly client: HadalReader & Pick<HadalClient, "annotations">;
}
