import { expect, test } from 'vitest';
import { findDatabaseUrl, parseDatabaseUrl } from './databaseUrl.ts';

test('a database URL may name several hosts, each with its port', () => {
  const { hosts, user, database, url } = parseDatabaseUrl(
    'postgres://le%40ds:p%2Cw@a.example:6432,b.example,[2001:db8::5]:6543/cli%20nic?sslmode=require',
  );
  expect(hosts).toEqual([
    { host: 'a.example', port: 6432 },
    { host: 'b.example', port: 5432 },
    { host: '[2001:db8::5]', port: 6543 },
  ]);
  expect([user, database]).toEqual(['le@ds', 'cli nic']);
  expect([url.hostname, url.password, url.searchParams.get('sslmode')]).toEqual([
    'a.example',
    'p%2Cw',
    'require',
  ]);
});

test('an @ in the password belongs to the password', () => {
  expect(parseDatabaseUrl('postgresql://leads:p@ss@db/leads')).toMatchObject({
    hosts: [{ host: 'db', port: 5432 }],
    user: 'leads',
  });
});

test.each([
  'mysql://db/leads',
  'postgres:db',
  'postgres://a:5432,b:port/leads',
  'postgres://a:99999/leads',
  'postgres://a,,b/leads',
  'postgres://[::1/leads',
  'postgres://le%ads@db/leads',
])('%s is no database URL', (text) => {
  expect(findDatabaseUrl(text)).toBeNull();
});

test('a database URL without a host leaves the host to the driver', () => {
  expect(parseDatabaseUrl('postgres:///leads')).toMatchObject({ hosts: [], database: 'leads' });
});
