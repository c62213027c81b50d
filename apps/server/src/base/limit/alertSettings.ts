/** How messages of alerts leave the server: settings of `hadal serve`. */
export interface AlertSettings {
  /** Addresses and ranges that webhooks may go to although they are not public. */
  readonly webhooksAllow: readonly string[];
  /** `smtp://` or `smtps://`, with name and password; null: no mail is sent. */
  readonly smtpUrl: string | null;
  /** By which people reach the server, for links; null: where it listens. */
  readonly publicUrl: string | null;
}

export const alertSettingsDefault: AlertSettings = {
  webhooksAllow: [],
  smtpUrl: null,
  publicUrl: null,
};
