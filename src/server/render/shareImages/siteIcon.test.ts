import { expect, test } from 'vitest';
import { firstPixel } from '#test/support/png.ts';
import { createPainter } from './painter.ts';
import { iconColor, iconLetter, iconSvg } from './siteIcon.ts';

test.each([
  ['juniper Street', 'J'],
  ['  «Łódź» Clinic', 'Ł'],
  ['E\u0301clair Health', 'É'],
  ['1st Street Clinic', '1'],
  ['診療所', '診'],
  ['عيادة', 'ع'],
  ['ßtraße', 'ß'],
  ['𝒜 Clinic', '𝒜'],
  [`Z${'\u0351'.repeat(5000)} Clinic`, 'Z'],
  ['\uD800 <b>', 'B'],
  ['😀 …', null],
  ['', null],
])('the icon of %j shows %j', (name, letter) => {
  expect(iconLetter(name)).toBe(letter);
});

test('a letter never becomes markup', () => {
  expect(iconSvg({ letter: '</text><script>"&\'', hue: 1 })).toContain(
    '>&#60;/text&#62;&#60;script&#62;&#34;&#38;&#39;</text>',
  );
});

test('letters that the typeface lacks share a neutral mark, and others have their own', async () => {
  const paint = createPainter();
  const draw = (letter: string | null): Promise<Buffer> => paint({ icon: { letter, hue: 30 }, size: 64 });
  const neutral = await draw(null);
  for (const letter of ['診', 'ع', 'Ạ', 'A\u{10fffd}', '\u{e000}'])
    expect(await draw(letter)).toEqual(neutral);
  const drawn = await Promise.all(['A', 'Ł', 'É', '1', 'O'].map(draw));
  expect(new Set([neutral, ...drawn].map((png) => png.toString('latin1'))).size).toBe(6);
});

test('an icon of a phone fills its corners with the color of the site', async () => {
  const paint = createPainter();
  for (const hue of [null, 0, 210]) {
    const [red = 0, green = 0, blue = 0, alpha] = firstPixel(
      await paint({ icon: { letter: 'A', hue }, size: 180 }),
    );
    const color = [red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('');
    expect([`#${color}`, alpha]).toEqual([iconColor(hue), 255]);
  }
});
