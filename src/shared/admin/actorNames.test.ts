import { expect, test } from 'vitest';
import { actorName } from './actorNames.ts';

test.each([
  ...['Staff', ' system ', 'VISITOR', 'Clinic', 'Sta\u200bff', '\u202eStaff', 'Sta\u00adff', 'Staff\u3164'],
  ...[
    'Ѕtaff',
    'Ѕуѕтем',
    'ЅҮЅТЕМ',
    'Сlinic',
    'CΙinic',
    'CIinic',
    'C1inic',
    'Vlsitor',
    'Visit0r',
    '5taff',
    '$taff',
  ],
  ...[
    '𝐒𝐭𝐚𝐟𝐟',
    'Ｓｔａｆｆ',
    'ⓢⓣⓐⓕⓕ',
    'ſtaff',
    'ꜱᴛᴀꜰꜰ',
    'Ståff',
    'S t a f f',
    'Staff.',
    '"Staff"',
    '-System-',
  ],
  ...['ꓢꓔꓮꓝꓝ', 'ᏚᎩᏚᎢᎬᎷ', 'Аnn Reader', 'Αnn Reader'],
])('the name %j, which imitates another, is refused', (name) => {
  expect(actorName.safeParse(name).error?.issues).toMatchObject([{ message: 'This name is reserved' }]);
});

test.each([
  ['Ann Reader', 'Ann Reader'],
  [' Robin  Staff ', 'Robin Staff'],
  ['Zoë O’Neil-Smith', 'Zoë O’Neil-Smith'],
  ['Иван Петров', 'Иван Петров'],
  ['Иван (Ivan)', 'Иван (Ivan)'],
  ['Νίκος', 'Νίκος'],
  ['李 Li', '李 Li'],
  ['山田はなこ', '山田はなこ'],
  ['Clinic Desk 2', 'Clinic Desk 2'],
  ['systems', 'systems'],
  ['Script 2026-11-26', 'Script 2026-11-26'],
  ['Ann\u202e Reader', 'Ann Reader'],
])('the name %j is stored as %j', (name, stored) => {
  expect(actorName.parse(name)).toBe(stored);
});

test.each(['', ' ', '\u200b', '\u3164'])('the name %j, which nobody sees, is missing', (name) => {
  expect(actorName.safeParse(name).error?.issues[0]?.message).toBe('Name is required');
});

test('a name of 100 characters is accepted; one that grows longer in plain form isn’t', () => {
  expect(actorName.safeParse('x'.repeat(100)).success).toBe(true);
  expect(actorName.safeParse('ﷺ'.repeat(20)).success).toBe(false);
});
