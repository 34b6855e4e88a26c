import { expect, test } from 'vitest';
import { isPublicAddress } from './guardedRequest.ts';

test.each([
  ...['8.8.8.8', '203.0.114.1', '2606:4700::1111', '::ffff:8.8.8.8'],
  ...['168.63.129.15', '168.63.129.17', '161.25.255.255', '161.27.0.0', '166.7.255.255', '166.12.0.0'],
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ...['127.0.0.1', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
  ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '192.0.2.1', '198.18.0.1', '192.0.0.8'],
  ...[
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    'fd00::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
  ],
  ...[
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '2001:db8::1',
    '3fff::1',
    '5f00::1',
  ],
  ...['', 'localhost', '127.0.0.1:80', 'clinic.example'],
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  ['Azure', '168.63.129.16'],
  ['Azure, mapped', '::ffff:168.63.129.16'],
  ['Azure, mapped in hex', '::ffff:a83f:8110'],
  ['Azure in hex', '0xa83f8110'],
  ['Azure by NAT64', '64:ff9b::a83f:8110'],
  ['Azure by 6to4', '2002:a83f:8110::1'],
  ['Alibaba', '100.100.100.200'],
  ['Alibaba’s resolver', '100.100.2.136'],
  ['Oracle', '192.0.0.192'],
  ['Amazon', 'fd00:ec2::254'],
  ['Amazon’s containers', '169.254.170.2'],
  ['Google', 'fd20:ce::254'],
  ['Tencent', '169.254.0.23'],
  ['IBM’s resolver', '161.26.0.10'],
  ['IBM’s endpoints', '166.9.24.1'],
])('the platform address of %s, %s, is not public', (_, address) => {
  expect(isPublicAddress(address)).toBe(false);
});
