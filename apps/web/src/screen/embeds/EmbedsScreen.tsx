import { useEffect } from "react";
import type { Session } from "../../session/session.js";
import { useWhyNot } from "../../session/useWhyNot.js";
import { LinkTabs } from "../../ui/page/LinkTabs.js";
import { Page } from "../../ui/page/Page.js";
import { Panel } from "../../ui/page/Panel.js";
import { EmbedsTab } from "./embed/EmbedsTab.js";
import { KeysTab } from "./key/KeysTab.js";

export interface EmbedsScreenProps {
  readonly session: Session;
  readonly tab: "embeds" | "keys";
}

const tabs = [
  { tab: "embeds", name: "Embeds", path: "/embeds", Content: EmbedsTab },
  { tab: "keys", name: "Host keys", path: "/embeds/keys", Content: KeysTab },
] as const;

/** Charts in other pages, and the keys of those who sign their tokens. */
export function EmbedsScreen({ session, tab }: EmbedsScreenProps) {
  const reason = useWhyNot(session, "embed");
  const { name, Content } = tabs.find((one) => one.tab === tab) ?? tabs[0];
  useEffect(() => {
    document.title = `${name} · Hadal`;
  }, [name]);
  if (reason !== null) {
    return (
      <Panel tone="quiet" testId="not-allowed" title="For people who may embed">
        {reason}
      </Panel>
    );
  }
  return (
    <Page testId="embeds-screen" title="Embeds">
      <LinkTabs {...{ tabs, tab }} />
      <Content session={session} />
    </Page>
  );
}
