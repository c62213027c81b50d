import { apiBase, problemCodes } from "@hadal/sdk";
import { type JsonSchema, schemas } from "@hadal/sdk/schema";
import { escapeHtml } from "./escapeHtml.js";
import type { DescribedRoute, RouteList } from "./openApi.js";
import type { Content, Operation, Parameter } from "./operation.js";

type Described = DescribedRoute & { readonly operation: Operation };

const accessTexts: Partial<Record<Operation["access"], string>> = {
  open: "For everyone.",
  "signed-in": "For everyone who signed in or has a token.",
};

const serverShown = "http://127.0.0.1:7400";

/** The interface as a page: routes with parameters and examples, schemas, problems. No scripts. */
export function printDocsPage({ routes }: RouteList): string {
  const described = routes.filter((route): route is Described => route.operation !== undefined);
  const tags = [...new Set(described.map(({ operation }) => operation.tag))];
  const groups = tags.map((tag) => {
    const own = described.filter(({ operation }) => operation.tag === tag);
    return `<h2>${escapeHtml(tag)}</h2>${own.map(printRoute).join("")}`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Hadal: the HTTP interface</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${apiBase}/docs.css">
</head>
<body>
<header>
<h1>Hadal: the HTTP interface</h1>
<p>Also as <a href="${apiBase}/openapi.json">OpenAPI 3.1</a>. Errors are problem details (RFC 9457) with a stable <code>code</code>.</p>
<nav><ul>${described.map(printLink).join("")}</ul></nav>
</header>
<main>
${groups.join("\n")}
<h2>Schemas</h2>
${Object.entries(schemas).map(printSchema).join("\n")}
<h2>Problems</h2>
${printProblems()}
</main>
</body>
</html>
`;
}

function printLink({ method, path, operation }: Described): string {
  const { operationId } = operation;
  return `<li><a href="#${operationId}"><code>${method.toUpperCase()} ${escapeHtml(path)}</code></a></li>`;
}

function accessText({ access, isForEmbeds }: Operation): string {
  const text = accessTexts[access] ?? `Needs the permission \`${access}\`.`;
  return isForEmbeds ? `${text} An embed token may ask, too, within what it allows.` : text;
}

function printRoute(route: Described): string {
  const { method, path, operation } = route;
  const { operationId, summary, description, parameters = [], body, answer } = operation;
  return `<section id="${operationId}">
<h3><b>${method.toUpperCase()}</b> ${escapeHtml(path)}</h3>
<p>${printText(`${summary}. ${description ?? ""}`)}</p>
<p>${printText(accessText(operation))}</p>
${parameters.length === 0 ? "" : printParameters(parameters)}
<h4>Example</h4>
<pre><code>${escapeHtml(printCurl(route))}</code></pre>
${body === undefined ? "" : printContents("Body", body.content)}
<h4>Answer ${answer.status}</h4>
<p>${printText(answer.description)}</p>
${answer.content === undefined ? "" : printContents("Answered", answer.content)}
${printCodes(operation)}
</section>`;
}

function printParameters(parameters: readonly Parameter[]): string {
  const rows = parameters.map(
    ({ name, in: place, description, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}</td><td>${printText(description)}${printBounds(schema)}</td></tr>`,
  );
  return `<table><tr><th>Parameter</th><th>in</th><th></th></tr>${rows.join("")}</table>`;
}

function printBounds({ enum: words, minimum, maximum, default: usual }: JsonSchema): string {
  const parts: string[] = [];
  if (Array.isArray(words)) parts.push(words.map((word) => `\`${word}\``).join(" or "));
  if (maximum !== undefined) parts.push(`from ${minimum} to ${maximum}`);
  if (usual !== undefined) parts.push(`default \`${usual}\``);
  return parts.length === 0 ? "" : ` ${printText(`(${parts.join("; ")})`)}`;
}

function printContents(title: string, contents: Readonly<Record<string, Content>>): string {
  const parts = Object.entries(contents).map(([mediaType, { schema, example }]) => {
    const shown =
      example === undefined ? "" : `<pre><code>${escapeHtml(printExample(example))}</code></pre>`;
    return `<h4>${title}: <code>${escapeHtml(mediaType)}</code></h4><p>${printShape(schema)}</p>${shown}`;
  });
  return parts.join("");
}

/** What a schema is in a few words, with links to the named ones. */
function printShape(schema: JsonSchema): string {
  const name = typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1)! : null;
  if (name !== null) return `<a href="#schema-${name}">${escapeHtml(name)}</a>`;
  if (schema.description !== undefined) return printText(schema.description);
  if (schema.type === "array" && schema.items !== undefined) {
    return `a list of ${printShape(schema.items)}`;
  }
  return (schema.anyOf ?? []).map(printShape).join(" or ");
}

function printCodes({ problems = [] }: Operation): string {
  const codes = problems.map((code) => `<a href="#problem-${code}"><code>${code}</code></a>`);
  return codes.length === 0 ? "" : `<h4>Problems</h4><p>${codes.join(" ")}</p>`;
}

function printSchema([name, schema]: [string, JsonSchema]): string {
  const text = JSON.stringify(schema, null, 2);
  const linked = escapeHtml(text).replace(
    /#\/components\/schemas\/(\w+)/g,
    (whole, target: string) => `<a href="#schema-${target}">${whole}</a>`,
  );
  return `<details id="schema-${name}"><summary><code>${name}</code> ${printText(schema.description ?? "")}</summary><pre><code>${linked}</code></pre></details>`;
}

function printProblems(): string {
  const rows = Object.entries(problemCodes).map(
    ([code, { status, retry, text }]) =>
      `<tr id="problem-${code}"><td><code>${code}</code></td><td>${status}</td><td>${retry ? "later" : "no"}</td><td>${escapeHtml(text)}</td></tr>`,
  );
  return `<table><tr><th>Code</th><th>Status</th><th>Again?</th><th>Text</th></tr>${rows.join("")}</table>`;
}

/** The request as a command to paste: its examples filled in. */
function printCurl({ method, path, operation }: Described): string {
  const { parameters = [], body } = operation;
  const example = (name: string): string =>
    encodeURIComponent(String(parameters.find((other) => other.name === name)?.example ?? name));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => example(name));
  const search = parameters
    .filter((parameter) => parameter.in === "query" && parameter.example !== undefined)
    .map(({ name }) => `${name}=${example(name)}`);
  const url = `${serverShown}${filled}${search.length === 0 ? "" : `?${search.join("&")}`}`;
  const words = ["curl", ...(method === "get" ? [] : ["-X", method.toUpperCase()]), quoteWord(url)];
  const [mediaType, content] = Object.entries(body?.content ?? {})[0] ?? [];
  if (mediaType !== undefined && content?.example !== undefined) {
    const isText = typeof content.example === "string";
    const sent = isText ? (content.example as string) : JSON.stringify(content.example);
    words.push("-H", quoteWord(`content-type: ${mediaType}`), "--data-binary", quoteWord(sent));
  }
  return words.join(" ");
}

function printExample(example: unknown): string {
  return typeof example === "string" ? example : JSON.stringify(example, null, 2);
}

/** As a shell takes it literally. */
function quoteWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A sentence with `code` in backticks. */
function printText(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}
