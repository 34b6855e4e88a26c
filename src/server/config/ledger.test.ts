import { expect, test } from 'vitest';
import { productionEnvironment } from '#test/support/productionEnvironment.ts';
import { parseConfig } from './config.ts';

const key = { LEDGER_ACCESS_KEY_ID: 'AKIAEXAMPLE', LEDGER_SECRET_ACCESS_KEY: 'secret-of-example' };

test('LEDGER_URL names a file or a bucket', () => {
  expect(parseConfig({}).ledger).toBeNull();
  expect(parseConfig({ LEDGER_URL: 'file:///var/lib/ledger%20a/l.jsonl' }).ledger).toEqual({
    kind: 'file',
    path: '/var/lib/ledger a/l.jsonl',
  });
  const bucket = { kind: 's3', accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret-of-example' };
  expect(
    parseConfig({ LEDGER_URL: 's3+https://s3.example:9000/bucket/a/b?region=eu-west-3', ...key }).ledger,
  ).toEqual({ ...bucket, bucketUrl: 'https://s3.example:9000/bucket', prefix: 'a/b/', region: 'eu-west-3' });
  expect(parseConfig({ LEDGER_URL: 's3+http://127.0.0.1:9000/bucket', ...key }).ledger).toEqual({
    ...{ ...bucket, bucketUrl: 'http://127.0.0.1:9000/bucket' },
    ...{ prefix: '', region: 'us-east-1' },
  });
});

test.each([
  '/var/lib/ledger.jsonl',
  'file:///var/lib/ledger/',
  'file://host/ledger.jsonl',
  's3+https://s3.example',
  's3+https://s3.example/bucket/a%2Fb',
  's3+https://user:password@s3.example/bucket',
  'https://s3.example/bucket',
])('LEDGER_URL %j is refused', (url) => {
  expect(() => parseConfig({ LEDGER_URL: url, ...key })).toThrow(/LEDGER_URL: must be file:/);
});

test('a bucket needs its key, and TLS in production', () => {
  const url = { LEDGER_URL: 's3+http://s3.example/bucket' };
  expect(() => parseConfig(url)).toThrow(/LEDGER_ACCESS_KEY_ID, LEDGER_SECRET_ACCESS_KEY: must be set/);
  expect(() => parseConfig({ ...productionEnvironment, ...url, ...key })).toThrow(
    /LEDGER_URL: must be s3\+https in production/,
  );
});
