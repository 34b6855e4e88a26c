import { expect, test } from 'vitest';
import { openApiDocument } from '#server/rest/openapi.ts';
import { restRoutes } from '#server/rest/routes.ts';
import { referencePage } from './referencePage.ts';

const lead = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer', minimum: 1, description: 'Its number, as in `leads`' },
    provider: { anyOf: [{ $ref: '#/components/schemas/Provider' }, { type: 'null' }] },
  },
};
const provider = { type: 'object', properties: { name: { type: 'string', maxLength: 80 } } };
const document = {
  info: { title: 'Leads', version: '2.0.0' },
  tags: [{ name: 'Leads', description: 'What visitors send.' }],
  components: { schemas: { Lead: lead, Provider: provider } },
  paths: {
    '/api/leads/{id}': {
      get: {
        operationId: 'leads.get',
        summary: 'Read a lead',
        description: 'With its <provider> and `id`.',
        tags: ['Leads'],
        security: [{ token: [] }, { session: [] }],
        'x-required-scope': 'leads:read',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: {
          '200': {
            description: 'The lead.',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Lead' }, example: { id: 7 } },
            },
          },
          '404': { description: 'Not found' },
        },
      },
    },
  },
  webhooks: {
    'lead.created': {
      post: {
        operationId: 'onLeadCreated',
        summary: 'A lead was stored',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Lead' } } } },
      },
    },
  },
};

test('an operation shows its access, parameters, example, fields and errors', () => {
  const { html } = referencePage(document);
  expect(html).toContain('<a href="#leads.get"><span class="method">GET</span> /api/leads/{id}</a>');
  expect(html).toContain('<section id="leads.get"><h3>Read a lead</h3>');
  expect(html).toContain('With its &lt;provider&gt; and <code>id</code>.');
  expect(html).toContain('A token with the scope leads:read, or staff who are signed in.');
  expect(html).toContain('<code>{id}</code></th>');
  expect(html).toContain('&quot;id&quot;: 7');
  expect(html).toContain('<code>provider.name</code> <span class="soft">optional</span>');
  expect(html).toContain('<code>Provider or null</code>');
  expect(html).toContain('<td>Its number, as in <code>leads</code>');
  expect(html).toContain('at most 80 characters');
  expect(html).toContain('<code>404</code> Not found');
  expect(html).toContain('What visitors send.');
  expect(html).toContain('<section id="webhook-lead.created">');
});

test('a reference to a missing schema is an error', () => {
  const broken = { ...document, components: { schemas: { Lead: lead } } };
  expect(() => referencePage(broken)).toThrow('No schema is called #/components/schemas/Provider');
});

test('the page has every operation of the API, each once', () => {
  const { html } = referencePage(openApiDocument('1.0.0'));
  for (const { operation } of restRoutes) expect(html.split(`<section id="${operation}">`)).toHaveLength(2);
});
