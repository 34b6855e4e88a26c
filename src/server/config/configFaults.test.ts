import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listFaults } from '#test/support/configFaults.ts';
import { productionEnvironment } from '#test/support/productionEnvironment.ts';
import { parseConfig } from './config.ts';
import { databaseTls } from './databaseTls.ts';
import { withLocalSecrets } from './localSecrets.ts';

const secret = `whsec_${'a'.repeat(32)}`;
const crm = { CRM_WEBHOOK_URL: 'https://crm.example/leads', CRM_WEBHOOK_SECRET: secret };

test.each<[string, Record<string, string>, string[]]>([
  [
    'a CRM webhook without its secret',
    { CRM_WEBHOOK_URL: crm.CRM_WEBHOOK_URL },
    ['CRM_WEBHOOK_URL, CRM_WEBHOOK_SECRET'],
  ],
  [
    'a secret without the CRM webhook',
    { CRM_WEBHOOK_SECRET: secret },
    ['CRM_WEBHOOK_URL, CRM_WEBHOOK_SECRET'],
  ],
  ['two CRMs', { ...crm, HUBSPOT_TOKEN: 'pat-na1-0123456789' }, ['HUBSPOT_TOKEN']],
  ['one CRM', crm, []],
  [
    'the owner’s role without the application’s',
    { DATABASE_OWNER_URL: 'postgres://owner@localhost/leads' },
    ['DATABASE_OWNER_URL'],
  ],
])('%s: the faults name the variables', (_, env, names) => {
  expect(listFaults(env)).toEqual(names);
});

test('in production, leads are sent to a CRM by https only', () => {
  const env = { ...productionEnvironment, ...crm };
  expect(listFaults(env)).toEqual([]);
  expect(listFaults({ ...env, CRM_WEBHOOK_URL: 'http://crm.example/leads' })).toEqual(['CRM_WEBHOOK_URL']);
  const hubspot = { ...productionEnvironment, HUBSPOT_TOKEN: 'pat-na1-0123456789' };
  expect(listFaults({ ...hubspot, HUBSPOT_URL: 'http://hubspot.example' })).toEqual(['HUBSPOT_URL']);
});

test.each([
  ['', { isEncrypted: false, isVerified: false }],
  ['?sslmode=require', { isEncrypted: true, isVerified: false }],
  ['?sslmode=require&sslrootcert=system', { isEncrypted: true, isVerified: false }],
  ['?sslmode=require&sslrootcert=/etc/ca.pem', { isEncrypted: true, isVerified: true }],
  ['?sslrootcert=system', { isEncrypted: true, isVerified: true }],
])('the connection to postgres://db.example/leads%s', (query, facts) => {
  expect(databaseTls(`postgres://db.example/leads${query}`)).toMatchObject(facts);
});

test('a development key that was cut off or can’t be read stops the start', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'clinic-leads-secrets-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const file = join(dataDir, 'secret-keys');
  const config = parseConfig({ DATA_DIR: dataDir });
  await writeFile(file, 'short');
  await expect(withLocalSecrets(config)).rejects.toThrow(`${file} holds no usable key`);
  await rm(file);
  await mkdir(file);
  await expect(withLocalSecrets(config)).rejects.toThrow('EISDIR');
});
