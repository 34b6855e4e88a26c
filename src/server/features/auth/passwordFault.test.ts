import { expect, test } from 'vitest';
import { brand } from '#shared/brand/brand.ts';
import { passwordFault } from './passwordFault.ts';

const owner = { name: 'Mallory Quixwood', email: 'mallory.quixwood@attacker.example' };

test.each([
  'password1234',
  'Password2026!!',
  'P@ssw0rd!P@ssw0rd',
  'letmeinletmein',
  'iloveyou2024',
  'drowssap4321',
  'aaaaaaaaaaaa',
  'abababababab',
  '123456789012',
  'abcdefghijkl',
  'qwertyuiop12',
  '1qaz2wsx3edc',
  ' '.repeat(12),
  'a'.repeat(1024),
  'ｐａｓｓｗｏｒｄ１２３４',
  owner.email,
  owner.email.toUpperCase(),
  'MalloryQuixwood',
  'quixwood1990',
  'Attacker.Example1',
  'dashboard2026',
  `${brand.plainName}${brand.plainName}${brand.plainName}`,
  `${brand.plainName.replaceAll(/\W/g, '')}-2026-!`,
])('the password %j is refused', async (password) => {
  expect(await passwordFault(password, owner)).toMatch(/easy to guess/);
});

test.each([
  'correct horse battery',
  'purple-tiger-sunset',
  'xK9#vQ2m!pLw',
  'zufallswort-garten-7',
  'mallory likes her garden gnomes',
  'пингвин-летает-ночью',
  // A name in it doesn't make it weak.
  `${brand.plainName}-7Gq!w9zR`,
])('the password %j is accepted', async (password) => {
  expect(await passwordFault(password, owner)).toBeNull();
});

test('somebody else’s name is no context', async () => {
  expect(await passwordFault('quixwood-2019', owner)).not.toBeNull();
  expect(await passwordFault('quixwood-2019', { name: 'Ada', email: 'ada@staff.example' })).toBeNull();
});
