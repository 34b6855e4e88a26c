import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadBundle } from '#server/render/bundle.ts';
import { pageKinds } from './support/everyPage.ts';

const publicKinds = pageKinds.filter((kind) => kind !== 'admin');
/** Words and names that live on in the built code of the staff's screens. */
const adminCode = /Sign in with your own account|staffAccounts|apiTokens|adminLeads/;

test('no public page and no server bundle loads dashboard code', async () => {
  const bundle = await loadBundle();
  if (bundle.development !== null) throw new Error('tests run on what was built');
  const { clientDir } = bundle;
  const textOf = (file: string): string => readFileSync(join(clientDir, file), 'utf8');
  for (const kind of publicKinds) {
    const { script, modulePreloads } = bundle.links(kind);
    const loaded = [script, ...modulePreloads].filter((file) => adminCode.test(textOf(file)));
    expect([kind, loaded]).toEqual([kind, []]);
  }
  const gate = bundle.links('admin');
  const gateText = [gate.script, ...gate.modulePreloads].map((file) => textOf(file)).join('');
  expect(gateText).toContain('Sign in with your own account');
  expect(gateText).not.toMatch(/staffAccounts|apiTokens/);
  // The names are still right: some chunk has them.
  const scripts = readdirSync(join(clientDir, 'assets')).filter((file) => file.endsWith('.js'));
  expect(scripts.some((file) => textOf(join('assets', file)).includes('staffAccounts'))).toBe(true);
  expect(textOf('../server/entryServer.js')).not.toMatch(/staffAccounts|apiTokens/);
});
