import type { Session } from "../../session/session.js";
import { useChange } from "../../session/useChange.js";

/** What can be done with rules, and what came of it. */
export function useAlertActions({ client }: Session, load: () => Promise<void>) {
  const { outcome, run } = useChange(load);
  const { alerts, documents } = client;
  const mute = (ids: readonly string[], untilMs: number): Promise<boolean> =>
    run(async () => {
      for (const id of ids) await alerts.mute(id, untilMs);
      return ids.length === 1 ? "Muted." : `${ids.length} alerts are muted.`;
    });
  const unmute = (id: string): Promise<boolean> =>
    run(async () => {
      await alerts.mute(id, 0);
      return "It is not muted any more.";
    });
  const acknowledge = (id: string): Promise<boolean> =>
    run(async () => {
      await alerts.acknowledge(id);
      return "Acknowledged: it is not sent again while it fires.";
    });
  const remove = (id: string, version: number): Promise<boolean> =>
    run(async () => {
      await documents.delete(id, { version });
      return null;
    });
  return { outcome, mute, unmute, acknowledge, remove };
}
