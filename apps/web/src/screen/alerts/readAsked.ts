/** What the link of a message asks for. A visit alone changes nothing. */
export interface AskedByMessage {
  /** The end of the window that the message is about; null: the link names none. */
  readonly atMs: number | null;
  readonly act: "acknowledge" | "mute" | null;
}

/** `search`: of the address. What cannot be read is left out. */
export function readAsked(search: string): AskedByMessage {
  const given = new URLSearchParams(search);
  const at = given.get("at") ?? "";
  const act = given.get("act");
  const isTime = /^\d{1,16}$/.test(at) && Number(at) <= 8.64e15;
  return {
    atMs: isTime ? Number(at) : null,
    act: act === "acknowledge" || act === "mute" ? act : null,
  };
}
