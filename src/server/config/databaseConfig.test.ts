import { expect, test } from 'vitest';
import { listFaults } from '#test/support/configFaults.ts';
import { productionEnvironment as production } from '#test/support/productionEnvironment.ts';
import { parseConfig } from './config.ts';

test.each([
  ['leads.db.example', ''],
  ['leads.db.example', '?sslmode=prefer'],
  ['leads.db.example', '?sslmode=disable'],
  ['leads.db.example', '?sslmode=disable&sslrootcert=system'],
  ['db.internal', ''],
  ['203.0.113.5', ''],
  ['[2001:db8::5]', ''],
  ['100.64.0.1', ''],
  ['172.32.0.1', ''],
  ['db,leads.db.example', ''],
  // Resolvers read these as 8.8.8.8.
  ['134744072', ''],
  ['0x08080808', ''],
])('production rejects a database at %s%s without TLS', (host, query) => {
  const url = `postgres://leads@${host}/leads${query}`;
  expect(listFaults({ ...production, DATABASE_URL: url })).toEqual(['DATABASE_URL']);
  expect(listFaults({ DATABASE_URL: url })).toEqual([]);
});

test.each([
  'leads.db.example/leads?sslmode=require',
  'leads.db.example/leads?ssl=true',
  'leads.db.example/leads?sslmode=verify-ca&sslrootcert=/etc/ca.pem',
  'leads.db.example/leads?sslmode=verify-full',
  '203.0.113.5/leads?sslrootcert=system',
  'localhost/leads',
  '127.0.0.1:5433/leads?sslmode=disable',
  '[::1]/leads',
  '10.1.2.3/leads',
  '172.16.0.1/leads',
  '192.168.1.1/leads',
  '169.254.1.1/leads',
  '[fd00::5]/leads',
  '[fe80::5]/leads',
  'postgres:5432/leads',
  '%2Fvar%2Frun%2Fpostgresql/leads',
])('production accepts a database at %s', (rest) => {
  expect(listFaults({ ...production, DATABASE_URL: `postgres://leads@${rest}` })).toEqual([]);
});

test('DATABASE_TLS=require asks for TLS in private networks, but not on this machine', () => {
  const tls = { DATABASE_TLS: 'require' };
  for (const host of ['10.1.2.3', 'postgres:5432', '[fd00::5]', 'db.example', 'localhost,10.1.2.3'])
    for (const env of [production, {}]) {
      const url = `postgres://leads@${host}/leads`;
      expect(listFaults({ ...env, ...tls, DATABASE_URL: url })).toEqual(['DATABASE_URL']);
      expect(listFaults({ ...env, ...tls, DATABASE_URL: `${url}?sslmode=require` })).toEqual([]);
    }
  for (const host of ['localhost', '127.0.0.1', '%2Fvar%2Frun%2Fpostgresql'])
    expect(listFaults({ ...production, ...tls, DATABASE_URL: `postgres://leads@${host}/leads` })).toEqual([]);
  const url = 'postgres://leads@10.1.2.3/leads?sslmode=require';
  const other = { DATABASE_OWNER_URL: 'postgres://owner@10.1.2.3/leads' };
  expect(listFaults({ ...production, ...tls, DATABASE_URL: url, ...other })).toEqual(['DATABASE_OWNER_URL']);
});

test('the largest pool has at least five connections, under its former name too', () => {
  expect(parseConfig({}).databasePoolMax).toBeNull();
  expect(parseConfig({ DATABASE_POOL_MAX: '5' }).databasePoolMax).toBe(5);
  expect(parseConfig({ DATABASE_POOL_SIZE: '6' }).databasePoolMax).toBe(6);
  expect(parseConfig({ DATABASE_POOL_MAX: '6', DATABASE_POOL_SIZE: '6' }).databasePoolMax).toBe(6);
  expect(listFaults({ DATABASE_POOL_MAX: '7', DATABASE_POOL_SIZE: '6' })).toEqual(['DATABASE_POOL_SIZE']);
  expect(listFaults({ DATABASE_POOL_MAX: '4' })).toEqual(['DATABASE_POOL_MAX']);
  expect(listFaults({ DATABASE_POOL_SIZE: '4' })).toEqual(['DATABASE_POOL_SIZE']);
});

test('a database URL may name several hosts, and production checks the TLS of each', () => {
  const url = 'postgres://leads@db-a:5432,db-b:5433/leads';
  expect(parseConfig({ ...production, DATABASE_URL: url }).databaseUrl).toBe(url);
  const isPublic = { ...production, DATABASE_URL: 'postgres://leads@db-a:5432,db.example:5433/leads' };
  expect(listFaults(isPublic)).toEqual(['DATABASE_URL']);
  expect(listFaults({ DATABASE_URL: 'postgres://leads@db-a:5432,db-b:port/leads' })).toEqual([
    'DATABASE_URL',
  ]);
});

test.each(['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL', 'DATABASE_OWNER_URL'])(
  '%s needs DATABASE_URL and, in production, TLS',
  (name) => {
    const DATABASE_URL = 'postgres://leads@db/leads';
    expect(listFaults({ [name]: 'postgres://leads@db/leads' })).toEqual([name]);
    expect(listFaults({ ...production, DATABASE_URL, [name]: 'postgres://leads@db.example/leads' })).toEqual([
      name,
    ]);
    expect(listFaults({ ...production, DATABASE_URL, [name]: 'postgres://leads@db-b/leads' })).toEqual([]);
  },
);

test('statements are prepared unless DATABASE_PREPARE is off', () => {
  expect(parseConfig({}).databasePrepare).toBe(true);
  expect(parseConfig({ DATABASE_PREPARE: 'off' }).databasePrepare).toBe(false);
});
