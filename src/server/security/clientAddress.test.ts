import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { meets } from '#test/support/meets.ts';
import { clientAddress, clientProtocol, forwardedEntry } from './clientAddress.ts';

function requestFrom(
  remoteAddress: string | undefined,
  headers: Record<string, string> = {},
): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const request = new IncomingMessage(socket);
  Object.assign(request.headers, headers);
  return request;
}

describe('without trusted proxies', () => {
  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:0:0::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::1', '::1'],
    [undefined, '0.0.0.0'],
  ])('the socket %s is %s, whatever X-Forwarded-For contains', (remote, ip) => {
    meets('D.hosts.05');
    expect(clientAddress(requestFrom(remote, { 'x-forwarded-for': '198.51.100.1' }), 0)).toBe(ip);
  });

  test('no forwarded scheme is trusted', () => {
    meets('D.hosts.06');
    const request = requestFrom('203.0.113.9', { 'x-forwarded-proto': 'https' });
    expect(clientProtocol(request, 0)).toBe('http');
  });
});

describe('behind trusted proxies, the address is counted from the right', () => {
  test.each([
    // The last entry is from the proxy; the ones before it are from the client.
    [1, '198.51.100.7', '198.51.100.7'],
    [1, '10.6.6.6, 198.51.100.7', '198.51.100.7'],
    [1, '10.6.6.6,198.51.100.7', '198.51.100.7'],
    [2, '10.6.6.6, 198.51.100.7, 192.0.2.2', '198.51.100.7'],
    [3, '10.6.6.6, 198.51.100.7, 192.0.2.2, 192.0.2.3', '198.51.100.7'],
    [1, '::ffff:198.51.100.7', '198.51.100.7'],
    [1, '2001:DB8::7', '2001:db8::7'],
    [1, '198.51.100.7:4711', '198.51.100.7'],
    [1, '[2001:db8::7]:4711', '2001:db8::7'],
    [1, '[2001:db8::7]', '2001:db8::7'],
    // With too few entries or a malformed one, only the socket's address is certain.
    [2, '198.51.100.7', '192.0.2.1'],
    [1, '', '192.0.2.1'],
    [1, 'unknown', '192.0.2.1'],
    [1, '198.51.100.7, ', '192.0.2.1'],
    [1, '1.2.3', '192.0.2.1'],
    [1, '0x7f.1', '192.0.2.1'],
    [1, '010.0.0.1', '192.0.2.1'],
    [1, '1.2.3.4.5', '192.0.2.1'],
    [1, "1.2.3.4'; drop table leads", '192.0.2.1'],
    [1, '198.51.100.7, evil', '192.0.2.1'],
  ])('%i proxies, "%s" → %s', (proxies, header, ip) => {
    meets('D.hosts.08');
    expect(clientAddress(requestFrom('192.0.2.1', { 'x-forwarded-for': header }), proxies)).toBe(ip);
  });

  test.each([
    [1, 'https', 'https'],
    [1, 'HTTPS', 'https'],
    [1, 'http, https', 'https'],
    [1, 'https, http', 'http'],
    [2, 'https, http', 'https'],
    [2, 'https', 'https'],
    [1, 'gopher', 'http'],
    [1, '', 'http'],
  ])('%i proxies, scheme "%s" → %s', (proxies, header, protocol) => {
    expect(clientProtocol(requestFrom('192.0.2.1', { 'x-forwarded-proto': header }), proxies)).toBe(protocol);
  });

  test.each([
    [1, 'evil.example, clinic.example', 'clinic.example'],
    [2, 'clinic.example, proxy.example', 'clinic.example'],
    [2, 'evil.example', null],
    [0, 'evil.example', null],
  ])('of %i proxies, the outermost wrote into "%s": %s', (proxies, header, entry) => {
    expect(forwardedEntry(header, proxies)).toBe(entry);
  });
});
