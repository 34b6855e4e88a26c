import { expect, test } from 'vitest';
import { insertProvider } from '#test/support/factories.ts';
import { testApp } from '#test/support/testApp.ts';

test('a contact card has the details of its provider, on one line each', async () => {
  await using app = await testApp();
  const provider = await insertProvider(app.db, {
    name: 'Elm; Oak, Clinic',
    practiceName: null,
    phone: '(303) 555-0142',
    address: '1 Main St\nDenver',
    zipCode: '80202',
    website: 'elm.example',
    domain: 'elm-oak.example',
  });
  await app.knows(provider);
  const card = await app.get(`/contacts/${provider.id}.vcf`);
  expect(card.headers['content-type']).toBe('text/vcard; charset=utf-8');
  expect(card.text.split('\r\n')).toEqual([
    'BEGIN:VCARD',
    'VERSION:3.0',
    'N:Elm\\; Oak\\, Clinic;;;;',
    'FN:Elm\\; Oak\\, Clinic',
    'ORG:Elm\\; Oak\\, Clinic',
    'TEL;TYPE=WORK,VOICE:3035550142',
    expect.stringMatching(/^ADR;TYPE=WORK:;;1 Main St Denver;;;80202;$/),
    'URL:https://elm.example/',
    'END:VCARD',
    '',
  ]);
});

test('a contact card leaves out what its provider lacks', async () => {
  await using app = await testApp();
  const given = { name: 'Elm', practiceName: null, domain: 'elm.example', zipCode: '80202' };
  const provider = await insertProvider(app.db, { ...given, phone: null, address: null, website: null });
  await app.knows(provider);
  const { text } = await app.get(`/contacts/${provider.id}.vcf`);
  expect(text).toContain('ADR;TYPE=WORK:;;;;;80202;\r\n');
  expect(text).not.toMatch(/^(?:TEL|URL)/m);
});

test('only GET of an active provider returns a contact card', async () => {
  await using app = await testApp();
  const active = await insertProvider(app.db, { domain: 'elm.example' });
  const inactive = await insertProvider(app.db, { status: 'f' });
  await app.knows(active);
  for (const path of ['/contacts/999999.vcf', `/contacts/${inactive.id}.vcf`, `/contacts/${active.id}.txt`])
    expect([path, (await app.get(path)).status]).toEqual([path, 404]);
  expect((await app.post(`/contacts/${active.id}.vcf`, {})).status).toBe(405);
});
