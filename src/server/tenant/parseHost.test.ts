import { describe, expect, test } from 'vitest';
import { meets } from '#test/support/meets.ts';
import { type MainHosts, parseHost } from './parseHost.ts';

const production: MainHosts = { mainDomains: ['brand.example'], production: true };
const development: MainHosts = { ...production, production: false };

const name253 = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;

describe('a host of the main site', () => {
  test.each([
    'brand.example',
    'BRAND.Example',
    'brand.example:443',
    'brand.example.',
    'brand.example.:8080',
    'www.brand.example',
    'WWW.BRAND.EXAMPLE.:3000',
  ])('%s', (header) => {
    meets('D.hosts.09 D.hosts.13');
    for (const hosts of [production, development]) expect(parseHost(header, hosts).kind).toBe('main');
  });
});

describe('a loopback host is the main site’s in development, and unknown in production', () => {
  test.each([
    'localhost',
    'localhost:3000',
    'LOCALHOST.',
    'www.localhost:3000',
    '127.0.0.1',
    '127.0.0.1:3000',
    '127.255.255.254',
    '[::1]',
    '[::1]:3000',
    '[0:0:0:0:0:0:0:1]:3000',
    '[::ffff:127.0.0.1]:80',
  ])('%s', (header) => {
    expect(parseHost(header, development).kind).toBe('main');
    expect(parseHost(header, production).kind).toBe('other');
  });
});

test('a loopback host that is configured is a main host in production, and no other', () => {
  const hosts: MainHosts = { mainDomains: ['localhost'], production: true };
  expect(
    ['localhost:443', 'www.localhost', '127.0.0.1', '[::1]'].map((host) => parseHost(host, hosts).kind),
  ).toEqual([...['main', 'main', 'other', 'other']]);
});

describe('any other well-formed host is a custom one and normalized', () => {
  test.each([
    ['clinic.example', 'clinic.example'],
    ['Clinic.Example:8443', 'clinic.example'],
    ['www.clinic.example.', 'clinic.example'],
    ['www.www.clinic.example', 'www.clinic.example'],
    ['clinic.localhost:3000', 'clinic.localhost'],
    ['localhost.clinic.example', 'localhost.clinic.example'],
    ['sub.brand.example', 'sub.brand.example'],
    ['notbrand.example', 'notbrand.example'],
    ['brand.example.evil.example', 'brand.example.evil.example'],
    ['www', 'www'],
    ['wwwclinic.example', 'wwwclinic.example'],
    ['127.0.0.1.evil.example', '127.0.0.1.evil.example'],
    ['128.0.0.1', '128.0.0.1'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['MÜNCHEN.example:80', 'xn--mnchen-3ya.example'],
    ['xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
    ['clinic。example', 'clinic.example'],
    ['ｃｌｉｎｉｃ.example', 'clinic.example'],
    ['ｗｗｗ.clinic.example', 'clinic.example'],
    ['💪.example', 'xn--ms8h.example'],
    ['[2001:DB8::1]:3000', '[2001:db8::1]'],
    ['[::ffff:203.0.113.7]', '203.0.113.7'],
    [name253, name253],
    [`${name253}.:65535`, name253],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
    ['clinic.example:1', 'clinic.example'],
    ['clinic.example:65535', 'clinic.example'],
  ])('%s → %s', (header, host) => {
    meets('D.hosts.01 D.hosts.02');
    expect(parseHost(header, production)).toEqual({ kind: 'other', host });
  });
});

describe('a malformed host is invalid and not repaired', () => {
  test.each([
    [undefined],
    [''],
    [' '],
    ['.'],
    ['..'],
    ['.clinic.example'],
    ['under_score.example'],
    ['_clinic.example'],
    ['clinic_.localhost:3000'],
    ['clinic..example'],
    ['clinic.example..'],
    [' clinic.example'],
    ['clinic.example '],
    ['clinic .example'],
    ['clinic.example\t'],
    ['clinic.example\r\nX-Evil: 1'],
    ['clinic.example\0'],
    ['clinic\u007f.example'],
    ['clinic\u0085.example'],
    ['user@clinic.example'],
    ['user:pass@clinic.example'],
    ['clinic.example/'],
    ['clinic.example/path'],
    ['clinic.example\\path'],
    ['http://clinic.example'],
    ['clinic.example?x=1'],
    ['clinic.example#x'],
    ['clinic.example,other.example'],
    ['clinic.example;other'],
    ["clinic.example'"],
    ['clinic.example"'],
    ['<script>alert(1)</script>'],
    ['${jndi}.example'],
    ['clinic%2eexample'],
    ['clinic%00.example'],
    ['clinic％41.example'],
    ['clinic／path.example'],
    ['clinic＠evil.example'],
    ['cli\u00adnic.example'],
    ['cli\u200bnic.example'],
    ['cli\u202enic.example'],
    ['\ud800.example'],
    ['bücher.127'],
    ['clinic.example:'],
    ['clinic.example:0'],
    ['clinic.example:65536'],
    ['clinic.example:99999999'],
    ['clinic.example:-1'],
    ['clinic.example:+80'],
    ['clinic.example:80 '],
    ['clinic.example:8O'],
    ['clinic.example:80:80'],
    ['clinic.example:８０'],
    [':3000'],
    ['::1'],
    ['2001:db8::1'],
    ['[::1'],
    ['::1]'],
    ['[]'],
    ['[::1]x'],
    ['[::1]:'],
    ['[::1]:0'],
    ['[::1]:3000:1'],
    ['[::1%eth0]'],
    ['[1::2::3]'],
    ['[127.0.0.1]'],
    ['[clinic.example]'],
    ['127.1'],
    ['2130706433'],
    ['0x7f000001'],
    ['0x7f.0.0.1'],
    ['127.0.0.0x1'],
    ['0177.0.0.01'],
    ['127.0.0.256'],
    ['127.0.0.1.2'],
    ['clinic.123'],
    ['-clinic.example'],
    ['clinic-.example'],
    ['*.example'],
    [`${'a'.repeat(64)}.example`],
    [`${'ü'.repeat(60)}.example`],
    [`${name253}d`],
    [`a.${name253}`],
  ])('%j', (header) => {
    meets('D.hosts.04');
    expect(parseHost(header, production)).toEqual({ kind: 'invalid' });
  });
});

test('a huge header is invalid', () => {
  expect(parseHost('a'.repeat(1_000_000), production)).toEqual({ kind: 'invalid' });
});

test('a main domain is matched exactly, in its ASCII form', () => {
  expect(parseHost('münchen-brand.example', { ...production, mainDomains: [] })).toEqual({
    kind: 'other',
    host: 'xn--mnchen-brand-dlb.example',
  });
  expect(
    parseHost('münchen-brand.example', { ...production, mainDomains: ['xn--mnchen-brand-dlb.example'] }).kind,
  ).toBe('main');
  expect(parseHost('brand.example', { ...production, mainDomains: [] }).kind).toBe('other');
});
