import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { openApiDocument } from '#server/rest/openapi.ts';
import { insertProvider } from '#test/support/factories.ts';
import { testApp } from '#test/support/testApp.ts';

const text = JSON.stringify(openApiDocument('1.0.0'));

test('Redocly’s recommended rules find nothing in the document', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: text, config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

test('Spectral’s rules for OpenAPI find nothing in the document', async () => {
  const linter = new spectral.Spectral();
  linter.setRuleset(new spectral.Ruleset({ extends: [[rulesets.oas, 'recommended']] }));
  const problems = await linter.run(text);
  expect(problems.map(({ code, message, path }) => `${code}: ${message} ${path.join('.')}`)).toEqual([]);
});

test('the document of staff operations, and its page, are on the main site only', async () => {
  await using app = await testApp();
  const provider = await insertProvider(app.db, { domain: 'docs.clinic.example' });
  await app.knows(provider);
  for (const path of ['/api/openapi.json', '/api/docs']) {
    expect([path, (await app.get(path)).status]).toEqual([path, 200]);
    expect([path, (await app.as('docs.clinic.example').get(path)).status]).toEqual([path, 404]);
  }
});
