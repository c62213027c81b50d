/** An embed as other pages show it. */
export interface Embedded {
  /** Address of the server. */
  readonly src: string;
  readonly id: string;
  readonly title: string;
  readonly token: string;
}

const escapes: Readonly<Record<string, string>> = {
  ...{ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" },
};

/** The text as part of an HTML attribute or element. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

/** A text in a script; a `<` could end the script's element. */
const quoteScript = (text: string): string => JSON.stringify(text).replaceAll("<", "\\u003c");

const framePath = ({ src, id, token }: Embedded): string =>
  `${src}/embed/${encodeURIComponent(id)}#token=${encodeURIComponent(token)}`;

export const htmlSnippet = ({ src, title, token }: Embedded): string =>
  `<script type="module" src="${escapeHtml(src)}/embed/hadal-chart.js"></script>
<hadal-chart
  src="${escapeHtml(src)}"
  token="${escapeHtml(token)}"
  aria-label="${escapeHtml(title)}"
  style="display: block; height: 360px"
></hadal-chart>
`;

export const iframeSnippet = (embedded: Embedded): string =>
  `<iframe
  src="${escapeHtml(framePath(embedded))}"
  title="${escapeHtml(embedded.title)}"
  style="width: 100%; height: 360px; border: 0"
  loading="lazy"
></iframe>
`;

/** Of a picture's signed address. */
export const imageSnippet = (
  { title }: Pick<Embedded, "title">,
  { url, width, height }: { readonly url: string; readonly width: number; readonly height: number },
): string =>
  `<img src="${escapeHtml(url)}" alt="${escapeHtml(title)}" width="${width}" height="${height}">
`;

export const reactSnippet = ({ src, title }: Embedded): string =>
  `import { HadalChart } from "@hadal/sdk/react";

/** ${title.replaceAll("*/", "* /").replaceAll(/\s+/g, " ")} */
export function EmbeddedChart({ token }: { token: string }) {
  return (
    <HadalChart
      src={${quoteScript(src)}}
      token={token}
      onTokenExpired={() => fetch("/hadal-token").then((answer) => answer.text())}
      style={{ height: 360 }}
    />
  );
}
`;

/** On the host's server: a page that stays open longer than a token needs a new one. */
export const renewalSnippet = ({ src, id }: Embedded): string =>
  `import { createClient } from "@hadal/sdk";

// An API token with the scope embed; it never leaves your server.
const hadal = createClient({ url: ${quoteScript(src)}, token: process.env.HADAL_TOKEN });

app.get("/hadal-token", async (request, reply) => {
  const { token } = await hadal.embeds.token(${quoteScript(id)});
  return reply.type("text/plain").send(token);
});

// For mail and chat: the address of a picture, valid for a day.
const { url } = await hadal.embeds.imageUrl(${quoteScript(id)}, { width: 640, height: 360 });
`;
