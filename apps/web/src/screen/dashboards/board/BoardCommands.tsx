import { useMemo, useRef } from "react";
import type { Command } from "../../../command/command.js";
import { useCommands } from "../../../command/useCommands.js";
import { editBar, lastWeek } from "../model/barState.js";
import { useBoard } from "./boardContext.js";
import type { Kiosk } from "./useKiosk.js";

export interface BoardCommandsProps {
  readonly isMoved: boolean;
  readonly onMoved: (isMoved: boolean) => void;
  readonly kiosk: Kiosk;
}

/** The keys and commands of a board. */
export function BoardCommands(props: BoardCommandsProps) {
  const board = useBoard();
  const now = useRef({ board, ...props });
  now.current = { board, ...props };
  const commands = useMemo(() => boardCommands(() => now.current), []);
  useCommands(commands);
  return null;
}

type Now = () => { readonly board: ReturnType<typeof useBoard> } & BoardCommandsProps;

const press = (testId: string): void =>
  document.querySelector<HTMLElement>(`[data-testid="${testId}"]`)?.click();

function boardCommands(now: Now): Command[] {
  return [...barCommands(now), ...editCommands(now), ...displayCommands(now), moveTileKeys];
}

function barCommands(now: Now): Command[] {
  const isLastWeek = (): boolean => now().board.bar.compare?.offset === lastWeek.offset;
  return [
    {
      id: "board week",
      group: "This screen",
      label: "Compare every tile with last week",
      keys: ["w"],
      run: () => {
        const { bar, onBar } = now().board;
        onBar({ ...bar, compare: isLastWeek() ? null : lastWeek });
      },
    },
    {
      id: "board moved",
      group: "This screen",
      label: "What moved",
      keys: ["m"],
      run: () => now().onMoved(!now().isMoved),
    },
    {
      id: "board live",
      group: "This screen",
      label: "Live on or off",
      keys: ["l"],
      run: () => {
        const { bar, onBar } = now().board;
        onBar(editBar(bar, { kind: "set live", live: !bar.live }));
      },
    },
    {
      id: "board time",
      group: "This screen",
      label: "Time range…",
      keys: ["t"],
      run: () => press("board-time"),
    },
    {
      id: "board filter",
      group: "This screen",
      label: "Filter all tiles",
      keys: ["/"],
      run: () => press("board-add-filter"),
    },
  ];
}

function editCommands(now: Now): Command[] {
  const store = () => now().board.store;
  return [
    {
      id: "board arrange",
      group: "This screen",
      label: "Arrange the dashboard",
      keys: ["e"],
      run: () => {
        const { isArranging, onArrange } = now().board;
        onArrange(!isArranging);
      },
    },
    {
      id: "board save",
      group: "This screen",
      label: "Save the dashboard",
      keys: ["mod+s"],
      whileTyping: true,
      run: () => void (store().getState().isChanged && store().save()),
    },
    {
      id: "board undo",
      group: "This screen",
      label: "Undo",
      keys: ["mod+z"],
      run: () => store().undo(),
    },
    {
      id: "board redo",
      group: "This screen",
      label: "Redo",
      keys: ["mod+shift+z", "mod+y"],
      run: () => store().redo(),
    },
  ];
}

/** What is shown of the board, and how much of the window it takes. */
function displayCommands(now: Now): Command[] {
  return [
    {
      id: "board kiosk",
      group: "This screen",
      label: "Kiosk: the tiles alone",
      run: () => now().kiosk.start(),
    },
    {
      id: "board leave",
      group: "This screen",
      label: "Leave full screen, kiosk or the side panel",
      keys: ["Escape"],
      hidden: true,
      run: () => {
        const { board, kiosk } = now();
        if (board.full !== null) board.onFull(null);
        else if (kiosk.isOn) kiosk.stop();
        else if (board.difference !== null) board.onDifference(null);
        else return false;
      },
    },
  ];
}

/** For the list of keys: the tile itself listens to them. */
const moveTileKeys: Command = {
  id: "board move tile",
  group: "This screen",
  label: "Move the focused tile while arranging; with ⇧ resize it",
  keyText: "Arrows",
};
