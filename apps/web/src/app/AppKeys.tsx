import type { DocumentSummary } from "@hadal/sdk";
import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import type { Command } from "../command/command.js";
import { useCommands } from "../command/useCommands.js";
import type { Session } from "../session/session.js";
import type { Navigation } from "./navigation.js";
import { screens } from "./screens.js";
import { toggleTheme } from "./theme.js";

export interface AppKeysProps {
  readonly session: Session;
  readonly navigation: Navigation;
  readonly exploreUrl: string;
  readonly onPalette: () => void;
  readonly onKeys: () => void;
}

/** The commands of every screen: other screens, tables, the palette, the sheet of keys. */
export function AppKeys({ session, navigation, exploreUrl, onPalette, onKeys }: AppKeysProps) {
  const { tables } = useStore(session);
  useEffect(() => {
    if (session.getState().tables === null) void session.loadTables();
  }, [session]);
  const { me } = useStore(session.who);
  const isAdmin = me?.permissions.includes("admin") === true;
  const mayEmbed = me?.permissions.includes("embed") === true;
  const everywhere = useMemo<Command[]>(
    () => [
      {
        id: "palette",
        group: "Everywhere",
        label: "Find a command",
        keys: ["mod+k"],
        whileTyping: true,
        hidden: true,
        run: onPalette,
      },
      { id: "keys", group: "Everywhere", label: "Show the keys", keys: ["?"], run: onKeys },
      { id: "theme", group: "Everywhere", label: "Switch light and dark", run: toggleTheme },
      { id: "esc", group: "Everywhere", label: "Close what is open", keyText: "Esc" },
      ...screens.map(
        ({ screen, name, path }): Command => ({
          id: `screen ${screen}`,
          group: "Go to",
          label: name,
          run: () => navigation.go(screen === "explore" ? exploreUrl : path),
        }),
      ),
      ...pageCommands(everyonesPages, navigation),
      ...(mayEmbed ? pageCommands(embedPages, navigation) : []),
      ...(isAdmin ? pageCommands(adminPages, navigation) : []),
    ],
    [navigation, exploreUrl, onPalette, onKeys, isAdmin, mayEmbed],
  );
  const { list } = useStore(session.savedQueries);
  const ofSaved = useMemo(
    () => (list ?? []).map((saved) => savedCommand(saved, navigation)),
    [list, navigation],
  );
  const ofTables = useMemo(
    () => (tables ?? []).flatMap(({ name }) => tableCommands(name, navigation)),
    [tables, navigation],
  );
  useCommands(everywhere);
  useCommands(ofTables);
  useCommands(ofSaved);
  return null;
}

/** Path, name, and other words to find it by. */
type PageEntry = readonly [string, string, string];

const everyonesPages: readonly PageEntry[] = [
  ["/annotations", "Annotations", "releases deploys incidents events flags of charts"],
];
const adminPages: readonly PageEntry[] = [
  ["/people", "People", "users roles groups invite"],
  ["/people/grants", "Grants", "tables rows columns who may read"],
  ["/people/tokens", "Tokens", "programs scopes api"],
  ["/audit", "Audit log", "who did what"],
];
const embedPages: readonly PageEntry[] = [
  ["/embeds", "Embeds", "charts in other pages share revoke"],
  ["/embeds/keys", "Host keys", "sign embed tokens public key jwk pem"],
];

const pageCommands = (pages: readonly PageEntry[], navigation: Navigation): Command[] =>
  pages.map(([path, label, words]) => ({
    ...{ id: `screen ${path}`, group: "Go to", label, words },
    run: () => navigation.go(path),
  }));

const savedCommand = ({ id, title }: DocumentSummary, navigation: Navigation): Command => ({
  id: `saved ${id}`,
  group: "Saved queries",
  label: title,
  words: "open",
  run: () => navigation.go(`/saved/${id}`),
});

function tableCommands(name: string, navigation: Navigation): Command[] {
  const part = encodeURIComponent(name);
  return [
    {
      id: `open ${name}`,
      group: "Open table",
      label: `Explore ${name}`,
      words: "table",
      run: () => navigation.go(`/explore?table=${part}`),
    },
    {
      id: `page ${name}`,
      group: "Open table",
      label: `Columns and settings of ${name}`,
      words: "table retention size delete",
      run: () => navigation.go(`/tables/${part}`),
    },
  ];
}
