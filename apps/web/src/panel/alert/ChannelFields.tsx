import { type AlertChannelKind, alertChannelKinds } from "@hadal/sdk";
import { Plus, X } from "lucide-react";
import { Button } from "../../ui/button/Button.js";
import { Fault } from "../../ui/field/Fault.js";
import { SelectField } from "../../ui/field/SelectField.js";
import { TextField } from "../../ui/field/TextField.js";
import styles from "./alert.module.css";
import { type AlertFaults, type ChannelForm, emptyChannel } from "./alertForm.js";
import { channelWords } from "./alertWords.js";
import { TestChannel, type TestChannelProps } from "./TestChannel.js";

export interface ChannelFieldsProps {
  readonly channels: readonly ChannelForm[];
  readonly faults: AlertFaults;
  readonly onChange: (channels: readonly ChannelForm[]) => void;
  /** Sends a test to the channel in that place. */
  readonly onTest: (place: number) => ReturnType<TestChannelProps["send"]>;
}

/** Where messages go. Without any the state is on the page alone. */
export function ChannelFields({ channels, faults, onChange, onTest }: ChannelFieldsProps) {
  const set = (at: number, part: Partial<ChannelForm>): void =>
    onChange(channels.map((one, i) => (i === at ? { ...one, ...part } : one)));
  return (
    <>
      {channels.map((channel, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: channels have no name beside their place
        <div key={i} className={styles.channel} data-testid="alert-channel">
          <div className={styles.row}>
            <SelectField
              label="Send to"
              testId="channel-kind"
              value={channel.kind}
              options={alertChannelKinds.map((value) => ({ value, label: channelWords[value] }))}
              fault={faults[`channels[${i}].kind`]}
              onChange={(kind) => set(i, { kind: kind as AlertChannelKind })}
            />
            <Button
              look="quiet"
              aria-label={`Remove ${channelWords[channel.kind]}`}
              onClick={() => onChange(channels.filter((_, at) => at !== i))}
            >
              <X size={14} />
            </Button>
          </div>
          <KindFields
            channel={channel}
            faultOf={(field) => faults[`channels[${i}].${field}`]}
            onSet={(part) => set(i, part)}
          />
          <Fault text={faults[`channels[${i}]`] ?? null} />
          <div className={styles.row}>
            <TestChannel send={() => onTest(i)} />
          </div>
        </div>
      ))}
      <div>
        <Button data-testid="add-channel" onClick={() => onChange([...channels, emptyChannel])}>
          <Plus size={14} /> {channels.length === 0 ? "Send a message" : "Send it elsewhere, too"}
        </Button>
      </div>
    </>
  );
}

interface KindFieldsProps {
  readonly channel: ChannelForm;
  readonly faultOf: (field: string) => string | undefined;
  readonly onSet: (part: Partial<ChannelForm>) => void;
}

function KindFields({ channel, faultOf, onSet }: KindFieldsProps) {
  if (channel.kind === "email") {
    return (
      <TextField
        label="Addresses, with commas"
        testId="channel-to"
        value={channel.to}
        fault={faultOf("to")}
        onChange={(to) => onSet({ to })}
      />
    );
  }
  if (channel.kind === "pagerduty") {
    return (
      <TextField
        label="Routing key of the service"
        testId="channel-key"
        value={channel.routingKey}
        fault={faultOf("routingKey")}
        onChange={(routingKey) => onSet({ routingKey })}
      />
    );
  }
  return (
    <>
      <TextField
        label="Address"
        testId="channel-url"
        value={channel.url}
        example="https://example.com/hook"
        fault={faultOf("url")}
        onChange={(url) => onSet({ url })}
      />
      {channel.kind === "webhook" && (
        <TextField
          label="Secret that signs it"
          testId="channel-secret"
          value={channel.secret}
          hint="It is never shown again."
          fault={faultOf("secret")}
          onChange={(secret) => onSet({ secret })}
        />
      )}
    </>
  );
}
