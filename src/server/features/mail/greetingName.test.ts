import { expect, test } from 'vitest';
import { meets } from '#test/support/meets.ts';
import { greetingName, plainWords, withoutLinks } from './greetingName.ts';

test.each([
  ['Kit', 'Kit'],
  ['  Mary   Ann ', 'Mary Ann'],
  ["D'Arcy Anne-Marie", "D'Arcy Anne-Marie"],
  ['Zoe\u0308', 'Zoë'],
  ['x'.repeat(20), 'x'.repeat(20)],
  ['x'.repeat(21), null],
  ['Mary Ann Sue', null],
  ['Dr. Kit', null],
  ['K1t', null],
  ['evil.example', null],
  ['kit@evil', null],
  ['evil/x', null],
  ['Kit-', null],
  ['-Kit', null],
  ['', null],
  ['Mary-Jane O’Neil', 'Mary-Jane O’Neil'],
  ['Kaʻiulani', 'Kaʻiulani'],
  ['佐々木', '佐々木'],
  ['Vera\u115fevil', null],
  ['Vera\u1160evil', null],
  ['Vera\u3164evil', null],
  ['Vera\uffa0evil', null],
  ['Ve\u00adra', null],
  ['Vera\u202elive', null],
  ['Vera\u034fevil', null],
  ['Call-now-eight-oh-oh', null],
  ['Call-now eight-oh', null],
  ["Call'now'eight'oh", null],
  ["Call'now eight’oh", null],
  ['𝐖𝐈𝐍 𝐏𝐑𝐈𝐙𝐄', null],
  ['ＷＩＮ ＰＲＩＺＥ', null],
  ['ᵂᴵᴺ', null],
  ['ﷺ', null],
  ['evilꞏexample', null],
  ['evilꓸexample', null],
  ['Winǃ', null],
])('the greeting of the first name %j is %j', (firstName, greeting) => {
  meets('D.abuse.02');
  expect(greetingName(firstName)).toBe(greeting);
});

test.each([
  ['Vera\u202elpmaxe live', 'Veralpmaxe live'],
  ['Ve\u00adra \u200bevil\u2060\ufeff', 'Vera evil'],
  ['Vera\u3164\u115f\uffa0evil', 'Veraevil'],
  ['Ve\u{e0041}ra \u{e0100}', 'Vera'],
  ['evil\u200b.\u200bexample', 'evil example'],
  ['Kit Sample', 'Kit Sample'],
])('a provider reads the name %j as %j', (typed, shown) => {
  expect(withoutLinks(typed)).toBe(shown);
});

test.each(['ﷺ', '㌀', '𝐖', '👩🏽'])(
  'a name of two hundred %s has no more in a message than in the form',
  (letter) => {
    const shown = withoutLinks(`${letter.repeat(100 / letter.length)} ${letter.repeat(100 / letter.length)}`);
    expect(shown.length).toBeLessThanOrEqual(201);
    expect(shown.isWellFormed()).toBe(true);
  },
);

test.each([
  ['Kit, O’Neil-Smith. After 5 p.m.', 'Kit, O’Neil-Smith. After 5 p m.'],
  ['See https://evil.example/<b>now</b>', 'See https evil example b now b'],
  ['a.b@c.example', 'a b c example'],
  ['evil\uff0eexample', 'evil example'],
  ['\u202e&lt;', 'lt'],
  ['x'.repeat(10_000), 'x'.repeat(100)],
])('the free text %j is printed as %j', (typed, printed) => {
  expect(plainWords(typed)).toBe(printed);
});
