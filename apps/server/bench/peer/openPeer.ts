import { say } from "../report/say.js";
import { DuckDBPeer } from "./duckdbPeer.js";
import { type Peer, type PeerName, peerNames } from "./peer.js";
import { hasPythonPeer, isInPython, PythonPeer } from "./pythonPeer.js";

/** The peers that were asked for, which must be there; or all that are there. */
export function peersFor(wanted: readonly PeerName[] | null): PeerName[] {
  const isThere = (name: PeerName) => !isInPython(name) || hasPythonPeer(name);
  const absent = (wanted ?? peerNames).filter((name) => !isThere(name));
  if (wanted !== null && absent.length > 0) {
    throw new Error(`python3 has no module for ${absent.join(", ")}: pip install chdb polars`);
  }
  if (absent.length > 0)
    say(`not compared with ${absent.join(", ")}: python3 has no module for it`);
  return (wanted ?? peerNames).filter(isThere);
}

export async function openPeer(name: PeerName, threads: number): Promise<Peer> {
  return isInPython(name) ? PythonPeer.open(name, threads) : DuckDBPeer.open(threads);
}
