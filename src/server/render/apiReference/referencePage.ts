import { plainScreenPolicies } from '../plainScreen.ts';
import type { Policies } from '../csp.ts';
import { escapeHtml } from '../escape.ts';
import {
  type Content,
  type Operation,
  referenceDocument,
  type ReferenceDocument,
  type Schemas,
} from './referenceDocument.ts';
import { fieldsOf, fieldTable, prose } from './referenceSchema.ts';
import { referenceStyle } from './referenceStyle.ts';

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

interface Listed {
  method: string;
  path: string;
  anchor: string;
  tag: string;
  operation: Operation;
}

/** Each operation, by tag; without tags, by the path's segment after `/api`. */
function operationsOf({ paths }: ReferenceDocument): Listed[] {
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

function jsonOf(value: unknown): string {
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
  const fields = media.schema === undefined ? [] : fieldsOf(media.schema, schemas);
  return [
    `<h4>${heading} <span class="soft">${escapeHtml(type)}</span></h4>`,
    example === undefined ? '' : jsonOf(example),
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

function operationHtml({ method, path, anchor, operation }: Listed, schemas: Schemas): string {
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
 * The API reference as one HTML page, without scripts, from the OpenAPI document: what a request needs and what it
 * returns, by tag. Named schemas are followed. The policies allow nothing but the page's own style.
 */
export function referencePage(openApi: object): { html: string; policies: Policies } {
  const document = referenceDocument.parse(openApi);
  const { title, version, description } = document.info;
  const { schemas } = document.components;
  const operations = operationsOf(document);
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
