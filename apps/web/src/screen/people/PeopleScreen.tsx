import { useEffect } from "react";
import { useStore } from "zustand";
import type { Session } from "../../session/session.js";
import { whyNot } from "../../session/who.js";
import { LinkTabs } from "../../ui/page/LinkTabs.js";
import { Page } from "../../ui/page/Page.js";
import { Panel } from "../../ui/page/Panel.js";
import { GrantsTab } from "./grant/GrantsTab.js";
import { TokensTab } from "./token/TokensTab.js";
import { UsersTab } from "./user/UsersTab.js";

export interface PeopleScreenProps {
  readonly session: Session;
  readonly tab: "users" | "grants" | "tokens";
}

const tabs = [
  { tab: "users", name: "Users", path: "/people", Content: UsersTab },
  { tab: "grants", name: "Grants", path: "/people/grants", Content: GrantsTab },
  { tab: "tokens", name: "Tokens", path: "/people/tokens", Content: TokensTab },
] as const;

/** Users, what they may read, and tokens of programs. */
export function PeopleScreen({ session, tab }: PeopleScreenProps) {
  const reason = whyNot(useStore(session.who).me, "admin");
  const shown = tabs.find((one) => one.tab === tab) ?? tabs[0];
  const { name, Content } = shown;
  useEffect(() => {
    document.title = `${name} · People · Hadal`;
  }, [name]);
  if (reason !== null) {
    return (
      <Panel tone="quiet" testId="not-allowed" title="For admins only">
        {reason}
      </Panel>
    );
  }
  return (
    <Page testId="people-screen" title="People" actions={<a href="/audit">Audit log</a>}>
      <LinkTabs {...{ tabs, tab }} />
      <Content session={session} />
    </Page>
  );
}
