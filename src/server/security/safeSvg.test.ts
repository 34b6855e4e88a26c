import { expect, test } from 'vitest';
import { isBoundedSvg } from './safeSvg.ts';

const svg = (content: string, before = ''): string =>
  `${before}<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40">${content}</svg>`;
const nested = (element: string): string =>
  Array.from(
    { length: 8 },
    (_, at) => `<g id="a${at + 1}">${`<${element} href="#a${at}"/>`.repeat(10)}</g>`,
  ).join('');
const entities =
  '<!DOCTYPE svg [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>';

test.each([
  ['a rectangle', svg('<rect width="9" height="9"/>')],
  ['a few uses', svg('<rect id="a"/><use href="#a"/><use href="#a"/>')],
  ['a declaration', svg('', '\ufeff<?xml version="1.0" encoding="utf-8"?>\n<!-- Logo -->\n')],
  [
    'namespaces of a drawing program',
    svg('', '<!DOCTYPE svg [\n<!ENTITY ns_svg "http://www.w3.org/2000/svg">\n]>'),
  ],
  ['many paths', svg('<path d="M0 0"/>'.repeat(5_000))],
])('an SVG with %s is drawn', (_, text) => {
  expect(isBoundedSvg(Buffer.from(text))).toBe(true);
});

test.each([
  ['nested uses', Buffer.from(svg(nested('use')))],
  ['nested uses with a prefix', Buffer.from(svg(nested('s:use')))],
  ['nested uses with another prefix', Buffer.from(svg(nested('ü:use')))],
  ['nested entities', Buffer.from(svg('<text>&c;</text>', entities))],
  [
    'entities from elsewhere',
    Buffer.from(svg('', '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>')),
  ],
  ['parameter entities', Buffer.from(svg('', '<!DOCTYPE svg [<!ENTITY % a "x"> %a;]>'))],
  ['long entities', Buffer.from(svg('', `<!DOCTYPE svg [<!ENTITY a "${'x'.repeat(5_000)}">]>`))],
  ['a hundred thousand elements', Buffer.from(svg('<g/>'.repeat(100_000)))],
  ['two bytes for each letter', Buffer.from(svg(''), 'utf16le')],
  ['no markup', Buffer.from('logo')],
])('an SVG with %s is refused', (_, bytes) => {
  expect(isBoundedSvg(bytes)).toBe(false);
});

test.each(['<!ENTITY ', '<u', '<u:', 'use ', '<!ENTITY a "', '\n'])(
  'a megabyte of %j costs no more than its length',
  (piece) => {
    expect(isBoundedSvg(Buffer.from(`<svg>${piece.repeat(1_000_000 / piece.length)}`))).toBeTypeOf('boolean');
  },
);
