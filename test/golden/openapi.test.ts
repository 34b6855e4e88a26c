import { expect, test } from 'vitest';
import { testApp } from '#test/support/testApp.ts';
import { meets } from '#test/support/meets.ts';
import { goldenFile, jsonText } from './goldenFiles.ts';

test('the OpenAPI document is served unchanged, in the same key order', async () => {
  meets('D.people.14');
  await using app = await testApp({ env: { MAIN_DOMAINS: 'brand.example' } });
  const { status, text } = await app.get('/api/openapi.json');
  expect(status).toBe(200);
  await expect(jsonText(JSON.parse(text))).toMatchFileSnapshot(goldenFile('openapi.json'));
});
