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

/** The commands that every screen has: to other screens and tables, the palette, the sheet. */
export function AppKeys({ session, navigation, exploreUrl, onPalette, onKeys }: AppKeysProps) {
  const { tables } = useStore(session);
  useEffect(() => {
    if (session.getState().tables === null) void session.loadTables();
  }, [session]);
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
    ],
    [navigation, exploreUrl, onPalette, onKeys],
  );
  const ofTables = useMemo(
    () => (tables ?? []).flatMap(({ name }) => tableCommands(name, navigation)),
    [tables, navigation],
  );
  useCommands(everywhere);
  useCommands(ofTables);
  return null;
}

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
