import type { AlertChannel } from "@hadal/sdk";
import { channelWords } from "../../panel/alert/alertWords.js";
import { TestChannel } from "../../panel/alert/TestChannel.js";
import type { Session } from "../../session/session.js";
import styles from "./alerts.module.css";

export interface ChannelListProps {
  readonly session: Session;
  readonly ruleId: string;
  readonly channels: readonly AlertChannel[];
  readonly mayTest: boolean;
}

/** Where the messages of a rule go. */
export function ChannelList({ session, ruleId, channels, mayTest }: ChannelListProps) {
  if (channels.length === 0)
    return <p className={styles.quiet}>Nowhere: its state is on this page alone.</p>;
  const test = async (channel: number) =>
    (await session.client.alerts.test(ruleId, { channel }))[0];
  return (
    <ul className={styles.channels} data-testid="alert-channels">
      {channels.map((channel, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: channels have no name beside their place
        <li key={i}>
          <span>{channelWords[channel.kind]}</span>
          <span className={styles.quiet}>{addressOf(channel)}</span>
          {mayTest && <TestChannel send={() => test(i)} />}
        </li>
      ))}
    </ul>
  );
}

function addressOf(channel: AlertChannel): string {
  if (channel.kind === "email") return channel.to.join(", ");
  return channel.kind === "pagerduty" ? "" : channel.url;
}
