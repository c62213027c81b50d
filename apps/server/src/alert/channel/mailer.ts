import type { Transporter } from "nodemailer";
import { ChannelFailure } from "./channelFailure.js";

export interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly messageId: string;
  readonly references: string;
  readonly text: string;
  readonly html: string;
  readonly image: MailImage | null;
}

export interface MailImage {
  readonly name: string;
  /** By which the HTML names it. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** A server that does not answer keeps a message no longer; another attempt follows. */
const connectMs = 5_000;
const silentMs = 10_000;

const senderDefault = "hadal@localhost";

/** Sends by the operator's mail server. */
export class Mailer {
  readonly #url: URL;
  readonly #from: string;
  #transport: Promise<Transporter> | null = null;

  /** `url`: `smtp://` or `smtps://name:password@host:port?from=alerts@example.com`, checked. */
  constructor(url: string) {
    this.#url = new URL(url);
    this.#from = this.#url.searchParams.get("from") ?? senderDefault;
    this.#url.searchParams.delete("from");
  }

  /**
   * Resolves when the mail server has it. Rejects with a {@link ChannelFailure} that is final where it
   * refuses the mail or any recipient: those that it took would get it twice.
   */
  async send({ to, image, ...mail }: Mail): Promise<void> {
    this.#transport ??= this.#connect();
    const transport = await this.#transport;
    const attachments =
      image === null
        ? []
        : [{ filename: image.name, cid: image.id, content: Buffer.from(image.bytes) }];
    const sent = await transport
      .sendMail({ ...mail, from: this.#from, to: [...to], attachments })
      .catch((error: unknown) => {
        throw failureOf(error);
      });
    const refused: readonly unknown[] = sent.rejected ?? [];
    if (refused.length > 0)
      throw new ChannelFailure(`the mail server refused ${refused.join(", ")}`, { isFinal: true });
  }

  async #connect(): Promise<Transporter> {
    // Loaded here only: most servers send no mail.
    const { createTransport } = await import("nodemailer");
    return createTransport({
      url: this.#url.href,
      ...{ connectionTimeout: connectMs, greetingTimeout: connectMs, socketTimeout: silentMs },
      ...{ disableFileAccess: true, disableUrlAccess: true },
    });
  }
}

interface SmtpError extends Error {
  readonly code?: string;
  /** What the server answered, such as 550. */
  readonly responseCode?: number;
}

function failureOf(error: unknown): ChannelFailure {
  const { message, code, responseCode = 0 } = error as SmtpError;
  // A wrong password is the operator's to mend: then the mail goes out.
  const isFinal = responseCode >= 500 && code !== "EAUTH";
  return new ChannelFailure(`mail: ${message}`, { isFinal });
}
