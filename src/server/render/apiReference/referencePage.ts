import { brandColors } from '#shared/brand/colors.ts';
import { plainScreenPolicies } from '../plainScreen.ts';
import type { Policies } from '../csp.ts';
import { escapeHtml } from '../../../shared/formats/text.ts';
import {
  type Content,
  type Operation,
  referenceDocument,
  type ReferenceDocument,
  type Schemas,
} from './referenceDocument.ts';
import { listFields, fieldTable, prose } from './referenceSchema.ts';

/** The one style tag of the reference page. Its policy has the hash of this text. */
const referenceStyle = `
:root { color-scheme: light; --ink: #26302f; --soft: #55605f; --line: #d9dedd; --tint: #f5f7f7; --primary: ${brandColors.primary}; }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; font: 1rem/1.55 system-ui, sans-serif; color: var(--ink); background: #fff; overflow-wrap: break-word; }
a { color: var(--primary); }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--primary); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; padding: .75rem 1rem; background: #fff; z-index: 1; }
.page { max-width: 78rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.5rem; margin: 3rem 0 .5rem; padding-top: 1rem; border-top: 2px solid var(--primary); }
h3 { font-size: 1.125rem; margin: 2.5rem 0 .5rem; }
h4 { font-size: 1rem; margin: 1.25rem 0 .375rem; }
p { margin: .375rem 0; max-width: 46rem; }
.soft { color: var(--soft); }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; }
nav li a { display: flex; gap: .5rem; align-items: baseline; padding: .375rem 0; min-height: 2.75rem; font-size: .875rem; text-decoration: none; }
nav li a { overflow-wrap: anywhere; }
nav li a:hover { text-decoration: underline; }
nav strong { display: block; margin-top: 1rem; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: .875rem; }
pre { margin: .375rem 0; padding: .75rem 1rem; background: var(--tint); border: 1px solid var(--line); border-radius: 8px; overflow-x: auto; }
.method { flex: none; display: inline-block; min-width: 3.75rem; padding: .0625rem .375rem; border: 1px solid currentColor; border-radius: 4px; font: 600 .75rem/1.4 ui-monospace, monospace; text-align: center; color: var(--primary); }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
th, td { padding: .5rem .75rem .5rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
/* On a phone, a table scrolls sideways rather than squeezing its sentences. */
td:last-child { min-width: 14rem; }
thead th { font-size: .8125rem; color: var(--soft); }
tbody th { font-weight: 400; white-space: nowrap; }
summary { cursor: pointer; padding: .5rem 0; min-height: 2.75rem; font-weight: 600; }
@media (min-width: 64em) {
  .columns { display: grid; grid-template-columns: 19rem minmax(0, 1fr); gap: 3rem; }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 1rem .5rem; }
  nav li a { min-height: 0; padding: .25rem 0; }
}
`;

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

interface ListedOperation {
  method: string;
  path: string;
  anchor: string;
  tag: string;
  operation: Operation;
}

/** Each operation, by tag; without tags, by the path's segment after `/api`. */
function listOperations({ paths }: ReferenceDocument): ListedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const [, , segment = ''] = path.split('/');
      const tag = operation.tags[0] ?? segment;
      const anchor = operation.operationId;
      return [{ method: method.toUpperCase(), path, anchor, tag, operation }];
    }),
  );
}

function toJson(value: unknown): string {
  return `<pre tabindex="0"><code>${escapeHtml(JSON.stringify(value, null, 2))}</code></pre>`;
}

/** `label` names the table for screen readers. */
function bodyHtml(
  { heading, label }: { heading: string; label: string },
  content: Content,
  schemas: Schemas,
): string {
  const [found] = Object.entries(content);
  if (found === undefined) return '';
  const [type, media] = found;
  const [first] = Object.values(media.examples ?? {});
  const example = media.example ?? first?.value;
  const fields = media.schema === undefined ? [] : listFields(media.schema, schemas);
  return [
    `<h4>${heading} <span class="soft">${escapeHtml(type)}</span></h4>`,
    example === undefined ? '' : toJson(example),
    fields.length === 0
      ? ''
      : `<details><summary>Fields</summary>${fieldTable(label, fields, schemas)}</details>`,
  ].join('');
}

function parametersHtml(title: string, { parameters }: Operation, schemas: Schemas): string {
  const fields = parameters.map(({ name, in: place, schema, required, description }) => ({
    name: place === 'query' ? `?${name}` : place === 'path' ? `{${name}}` : name,
    schema,
    isRequired: required,
    description,
  }));
  const table = fieldTable(`${title}: parameters`, fields, schemas);
  return table === '' ? '' : `<h4>Parameters</h4>${table}`;
}

function accessText({ security, 'x-required-scope': scope }: Operation): string {
  if (security.length === 0) return 'Anyone.';
  const isOptional = security.some((requirement) => Object.keys(requirement).length === 0);
  if (scope === undefined) return 'Staff who are signed in.';
  return isOptional
    ? `Anyone; more with a token of the scope ${scope}.`
    : `A token with the scope ${scope}, or staff who are signed in.`;
}

function responsesHtml(title: string, { responses }: Operation, schemas: Schemas): string {
  const own = Object.entries(responses).map(([status, response]) => ({ status, ...response }));
  const good = own.filter(({ status }) => status.startsWith('2'));
  const others = own.filter(({ status }) => !status.startsWith('2'));
  const list = others.map(
    ({ status, description }) => `<li><code>${status}</code> ${escapeHtml(description)}</li>`,
  );
  return [
    ...good.map(
      ({ status, description, content }) =>
        `<h4>Response <code>${status}</code></h4><p>${escapeHtml(description)}</p>${bodyHtml({ heading: 'Body', label: `${title}: ${status}` }, content, schemas)}`,
    ),
    list.length === 0 ? '' : `<details><summary>Other responses</summary><ul>${list.join('')}</ul></details>`,
  ].join('');
}

function operationHtml({ method, path, anchor, operation }: ListedOperation, schemas: Schemas): string {
  const { summary, description, requestBody } = operation;
  const title = `${method} ${path}`;
  return [
    `<section id="${escapeHtml(anchor)}"><h3>${escapeHtml(summary === '' ? title : summary)}</h3>`,
    `<p><span class="method">${method}</span> <code>${escapeHtml(path)}</code></p>`,
    description === '' ? '' : `<p>${prose(description)}</p>`,
    `<p class="soft">${escapeHtml(accessText(operation))}</p>`,
    parametersHtml(title, operation, schemas),
    bodyHtml({ heading: 'Request', label: `${title}: request` }, requestBody?.content ?? {}, schemas),
    responsesHtml(title, operation, schemas),
    '</section>',
  ].join('');
}

function webhooksHtml({ webhooks }: ReferenceDocument, schemas: Schemas): string {
  const own = Object.entries(webhooks).map(
    ([name, { post }]) =>
      `<section id="webhook-${escapeHtml(name)}"><h3><code>${escapeHtml(name)}</code></h3><p>${prose(post?.description || (post?.summary ?? ''))}</p>${bodyHtml({ heading: 'Body', label: name }, post?.requestBody?.content ?? {}, schemas)}</section>`,
  );
  return own.length === 0 ? '' : `<h2 id="webhooks">Webhook events</h2>${own.join('')}`;
}

/**
 * The API reference as HTML without scripts, from the OpenAPI document. The policies allow only the page's own style.
 */
export function referencePage(openApi: object): { html: string; policies: Policies } {
  const document = referenceDocument.parse(openApi);
  const { title, version, description } = document.info;
  const { schemas } = document.components;
  const operations = listOperations(document);
  // In the document's order.
  const tags = new Set([...document.tags.map(({ name }) => name), ...operations.map(({ tag }) => tag)]);
  const groups = [...tags]
    .map((tag) => ({
      tag,
      about: document.tags.find(({ name }) => name === tag)?.description ?? '',
      own: operations.filter((operation) => operation.tag === tag),
    }))
    .filter(({ own }) => own.length > 0);
  const webhooks = webhooksHtml(document, schemas);
  const navigation = groups.map(({ tag, own }) => {
    const links = own.map(
      ({ method, path, anchor }) =>
        `<li><a href="#${escapeHtml(anchor)}"><span class="method">${method}</span> ${escapeHtml(path)}</a></li>`,
    );
    return `<strong>${escapeHtml(tag)}</strong><ul>${links.join('')}</ul>`;
  });
  const sections = groups.map(
    ({ tag, about, own }) =>
      `<h2>${escapeHtml(tag)}</h2>${about === '' ? '' : `<p>${escapeHtml(about)}</p>`}${own.map((operation) => operationHtml(operation, schemas)).join('')}`,
  );
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)} ${escapeHtml(version)}: API reference</title><meta name="robots" content="noindex">`,
    `<link rel="icon" href="/favicon.svg" type="image/svg+xml"><style>${referenceStyle}</style></head>`,
    '<body><a class="skip" href="#main">Skip to the operations</a><div class="page"><header>',
    `<h1>${escapeHtml(title)}</h1><p>API reference, version ${escapeHtml(version)}. Tools read the <a href="/api/openapi.json">OpenAPI document</a>.</p>`,
    `<p>${escapeHtml(description)}</p></header><div class="columns">`,
    `<nav aria-label="Operations">${navigation.join('')}${webhooks === '' ? '' : '<strong><a href="#webhooks">Webhook events</a></strong>'}</nav>`,
    `<main id="main" tabindex="-1">${sections.join('')}${webhooks}</main></div></div></body></html>`,
  ];
  return { html: html.join(''), policies: plainScreenPolicies(referenceStyle) };
}
