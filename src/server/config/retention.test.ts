import { expect, test } from 'vitest';
import { parseConfig } from './config.ts';
import { defaultRetention, retentionNames, retentionRules } from './retention.ts';

const toRetention = (text: string) => parseConfig({ RETENTION: text }).retention;

test('RETENTION changes the named periods and leaves the others at their defaults', () => {
  expect(parseConfig({}).retention).toEqual(defaultRetention);
  expect(toRetention(' junk = 30, leads=730,events=off')).toEqual({
    ...defaultRetention,
    ...{ junk: 30, leads: 730, events: null },
  });
});

test('each period may be its floor, and no day less', () => {
  expect(retentionNames.length).toBeGreaterThan(5);
  for (const name of retentionNames) {
    const { floorDays, defaultDays } = retentionRules[name];
    expect(toRetention(`${name}=${floorDays}`)[name]).toBe(floorDays);
    expect(() => toRetention(`${name}=${floorDays - 1}`)).toThrow(
      `RETENTION: "${name}=${floorDays - 1}" must be ${floorDays} to 36500 days, or off`,
    );
    expect(defaultDays ?? floorDays).toBeGreaterThanOrEqual(floorDays);
  }
});

test.each([
  ['leeds=30', '"leeds=30" has no known name; the names are junk, leads, '],
  ['junk=soon', '"junk=soon" must be 7 to 36500 days, or off'],
  ['junk=30.5', '"junk=30.5" is not a name and its days, such as junk=90 or leads=off'],
  ['junk=-30', '"junk=-30" is not a name and its days'],
  ['junk=36501', '"junk=36501" must be 7 to 36500 days'],
  ['off', '"off" is not a name and its days'],
  ['junk=30,junk=off', '"junk=off" names a period twice'],
])('RETENTION=%s is refused, and the error names the pair', (text, message) => {
  expect(() => toRetention(text)).toThrow(`RETENTION: ${message}`);
});
