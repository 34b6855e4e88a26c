import { expect, test } from 'vitest';
import { isPublicAddress } from './publicAddress.ts';

test.each(['8.8.8.8', '203.0.114.1', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is public', (address) => {
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
