import { expect, test } from 'vitest';
import { meets } from '#test/support/meets.ts';
import { hashPassword, isPasswordHash, verifyPassword } from './password.ts';

test('a password matches only its own hash, and two hashes of it differ', async () => {
  meets('D.admin.04');
  const [one, two] = [await hashPassword('correct horse'), await hashPassword('correct horse')];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(two);
  expect(await verifyPassword('correct horse', one)).toBe(true);
  expect(await verifyPassword('correct horse', two)).toBe(true);
  expect(await verifyPassword('correct horse ', one)).toBe(false);
  expect(await verifyPassword('Correct horse', one)).toBe(false);
});

test('a hash of the reference implementation is accepted', async () => {
  // phc-winner-argon2, src/test.c, version 0x13 of Argon2id: "password" with the salt "somesalt".
  const reference = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  expect(await verifyPassword('password', reference)).toBe(true);
  expect(await verifyPassword('differentpassword', reference)).toBe(false);
});

test('without a hash, no password is correct', async () => {
  meets('D.admin.08');
  expect(await verifyPassword('', null)).toBe(false);
  expect(await verifyPassword('correct horse', null)).toBe(false);
});

test('an accent matches in composed and decomposed form', async () => {
  expect(await verifyPassword('caf\u0065\u0301', await hashPassword('caf\u00e9'))).toBe(true);
});

test.each([
  '',
  'plain',
  '$argon2i$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA',
  '$argon2id$v=16$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA',
  '$argon2id$v=19$m=99999999,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA',
  '$argon2id$v=19$m=19456,t=0,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA',
  '$argon2id$v=19$m=4,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA',
  '$argon2id$v=19$m=19456,t=2,p=1$$',
  // What a shell leaves after it expanded the dollar signs.
  '=19=19456,t=2,p=1',
])('%s is not a usable hash', async (text) => {
  expect(isPasswordHash(text)).toBe(false);
  await expect(verifyPassword('x', text)).rejects.toThrow('not an Argon2id PHC string');
});
