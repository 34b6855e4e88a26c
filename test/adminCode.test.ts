import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadBundle } from '#server/render/bundle.ts';
import { pageKinds } from './support/everyPage.ts';

const publicKinds = pageKinds.filter((kind) => kind !== 'admin');
/** Words of the staff's screens behind the gate, and of the gate. They live on in the built code. */
const dashboardCode = /No accounts yet\.|No tokens yet\.|Nobody is on the list\./;
const adminCode = new RegExp(`Sign in with your own account|${dashboardCode.source}`);

test('no public page and no server bundle loads dashboard code', async () => {
  const bundle = await loadBundle();
  if (bundle.development !== null) throw new Error('tests run on what was built');
  const { clientDir } = bundle;
  const toText = (file: string): string => readFileSync(join(clientDir, file), 'utf8');
  for (const kind of publicKinds) {
    const { script, modulePreloads } = bundle.links(kind);
    const loaded = [script, ...modulePreloads].filter((file) => adminCode.test(toText(file)));
    expect([kind, loaded]).toEqual([kind, []]);
  }
  const gate = bundle.links('admin');
  const gateText = [gate.script, ...gate.modulePreloads].map((file) => toText(file)).join('');
  expect(gateText).toContain('Sign in with your own account');
  expect(gateText).not.toMatch(dashboardCode);
  // The words are still right: some chunk has each.
  const scripts = readdirSync(join(clientDir, 'assets')).filter((file) => file.endsWith('.js'));
  const built = scripts.map((file) => toText(join('assets', file))).join('');
  const words = dashboardCode.source.split('|').map((word) => word.replaceAll('\\', ''));
  expect(words.filter((word) => !built.includes(word))).toEqual([]);
  expect(toText('../server/entryServer.js')).not.toMatch(dashboardCode);
});
