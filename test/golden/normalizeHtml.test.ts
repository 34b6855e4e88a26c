import { describe, expect, test } from 'vitest';
import {
  foldLeadForm,
  normalizeHeaders,
  normalizeHtml,
  outlineHtml,
  selectLeadForm,
} from './normalizeHtml.ts';

const run = { port: 4321 };

const page = [
  '<!doctype html><html lang="en"><head><title>A page</title>',
  '<link rel="canonical" href="http://brand.example:4321/">',
  '<link rel="modulepreload" href="/assets/entryClient-BoH2Sbd.js">',
  '<link rel="modulepreload" href="/assets/Map_Page-D-_V_CC.js">',
  '<link rel="preload" as="font" href="/assets/figtree-latin-D_ZTVpCC.woff2" crossorigin>',
  '<style data-styled="true" data-styled-version="6.6.0">.aBcDe{color:red}data-styled.g1[id="sc-1x-0"]{content:"aBcDe,"}</style></head>',
  '<body><div id="root"><h1 class="sc-1x-0 aBcDe">A heading</h1><p class="sc-2y-1 lead">Some <!-- -->text and a <a href="/find">link</a></p>',
  '<input name="token" type="hidden" value="tok-EN_1"/><input name="zip" disabled=""/><textarea>One\nTwo</textarea></div>',
  '<script type="application/json" id="boot">{"formToken":"tok-EN_1","page":{"kind":"landing"}}</script>',
  '<script type="application/ld+json">{"name":"A clinic","url":"http://brand.example:4321/"}</script>',
  '<script data-script="/assets/entryClient-BoH2Sbd.js" data-chunks="/assets/a-1111111.js /assets/b-2222222.js">start()</script></body></html>',
].join('');

/** The normalized page after one replacement. Fails if the replaced text is missing. */
function changed(from: string, to: string): string {
  expect(page).toContain(from);
  return normalizeHtml(page.replace(from, to), run);
}

test('a page becomes one tag or text per line', () => {
  expect(normalizeHtml(page, run).split('\n')).toEqual([
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<title>',
    'A page',
    '</title>',
    '<link href="http://brand.example:[port]/" rel="canonical">',
    '<link href="/assets/[chunk].js" rel="modulepreload">',
    '<link as="font" crossorigin="" href="/assets/figtree-latin-[hash].woff2" rel="preload">',
    '<style data-styled="true" data-styled-version="[version]">',
    '[css]',
    '</style>',
    '</head>',
    '<body>',
    '<div id="root">',
    '<h1>',
    'A heading',
    '</h1>',
    '<p class="lead">',
    'Some text and a[space]',
    '<a href="/find">',
    'link',
    '</a>',
    '</p>',
    '<input name="token" type="hidden" value="[form token]">',
    '<input disabled="" name="zip">',
    '<textarea>',
    'One[newline]Two',
    '</textarea>',
    '</div>',
    '<script id="boot" type="application/json">',
    '[boot data]',
    '</script>',
    '<script type="application/ld+json">',
    '{',
    '  "name": "A clinic",',
    '  "url": "http://brand.example:[port]/"',
    '}',
    '</script>',
    '<script data-chunks="/assets/[chunk].js" data-script="/assets/[chunk].js">',
    '[code]',
    '</script>',
    '</body>',
    '</html>',
    '',
  ]);
});

describe('a normalized page shows', () => {
  test.each([
    ['a changed word', 'Some ', 'Any '],
    ['a lost space', 'and a <a', 'and a<a'],
    ['a changed line break', 'One\nTwo', 'One Two'],
    ['a changed title', '<title>A page', '<title>The page'],
    ['a changed heading level', '<h1', '<h2'],
    ['a changed heading', 'A heading', 'The heading'],
    ['a changed link', 'href="/find"', 'href="/map"'],
    ['a lost attribute', ' disabled=""', ''],
    ['a new attribute', '<h1 ', '<h1 id="top" '],
    ['a changed attribute', 'type="hidden"', 'type="text"'],
    ['a changed value', 'value="tok-EN_1"', 'value="other"'],
    ['a changed language', 'lang="en"', 'lang="de"'],
    ['a class that was written by hand', ' lead"', ' note"'],
    ['a changed host', 'href="http://brand.example:4321/"', 'href="http://other.example:4321/"'],
    ['another port', 'href="http://brand.example:4321/"', 'href="http://brand.example:80/"'],
    ['a changed font', 'figtree-latin', 'figtree-greek'],
    ['a code file from elsewhere', 'data-script="/assets/', 'data-script="https://cdn.example/'],
    ['lost code', ' data-chunks="/assets/a-1111111.js /assets/b-2222222.js"', ' data-chunks=""'],
    ['lost preloads', '<link rel="preload" as="font"', '<link rel="prefetch" as="font"'],
    ['lost style', '.aBcDe{color:red}data-styled.g1[id="sc-1x-0"]{content:"aBcDe,"}', ''],
    ['a lost inline script', '>start()<', '><'],
    ['one more inline script', '</body>', '<script>more()</script></body>'],
    ['changed structured data', '"A clinic"', '"The clinic"'],
    ['escaped text that is no longer escaped', 'A heading', '<b>A heading</b>'],
    [
      'a moved element',
      '<input name="zip" disabled=""/><textarea>One\nTwo</textarea>',
      '<textarea>One\nTwo</textarea><input name="zip" disabled=""/>',
    ],
  ])('%s', (_what, from, to) => {
    expect(changed(from, to)).not.toBe(normalizeHtml(page, run));
  });
});

describe('a normalized page does not show', () => {
  test.each([
    ['the hash of a font', 'D_ZTVpCC', '-_-_-_-_'],
    [
      'the name and number of code files',
      '/assets/a-1111111.js /assets',
      '/assets/page-3333333.js /assets/c-4444444.js /assets',
    ],
    ['generated style', 'color:red', 'color:blue'],
    ['the order of attributes', 'name="token" type="hidden"', 'type="hidden" name="token"'],
    ['how React separates texts', 'Some <!-- -->text', 'Some text'],
  ])('%s', (_what, from, to) => {
    expect(changed(from, to)).toBe(normalizeHtml(page, run));
  });

  test('generated class names, the token and the port of a run', () => {
    const other = page
      .replaceAll('aBcDe', 'fGhIj')
      .replaceAll('sc-1x-0', 'sc-3z-0')
      .replaceAll('tok-EN_1', 'tok-EN_2')
      .replaceAll(':4321', ':5432');
    expect(normalizeHtml(other, { port: 5432 })).toBe(normalizeHtml(page, run));
  });
});

test('a lead form is folded in its page and printed whole by itself', () => {
  const form = '<form data-lead-form="landing" method="post"><label>ZIP</label><input name="zip"></form>';
  const withForm = changed('<p class', `${form}<p class`);
  const open = '<form data-lead-form="landing" method="post">';
  expect(foldLeadForm(withForm)).toContain(`${open}\n[lead form]\n</form>\n<p class="lead">`);
  expect(foldLeadForm(normalizeHtml(page, run))).toBe(normalizeHtml(page, run));
  expect(selectLeadForm(withForm)).toBe(`${open}\n<label>\nZIP\n</label>\n<input name="zip">\n</form>\n`);
});

test('an outline has what crawlers and other sites see, each once', () => {
  const links = '<a href="mailto:a@example.com">Write</a><a href="mailto:a@example.com">us</a>';
  expect(outlineHtml(changed('A heading', `A <b>heading</b>${links}`)).split('\n')).toEqual([
    '<html lang="en">',
    '<title> A page',
    '<link href="http://brand.example:[port]/" rel="canonical">',
    '<h1> A heading Write us',
    '',
  ]);
  expect(
    outlineHtml(changed('<p class', `${links}<p class`))
      .split('\n')
      .slice(4),
  ).toEqual(['<a href="mailto:a@example.com">', '']);
});

test('headers keep names and values, except what differs between runs and builds', () => {
  const headers = {
    'x-request-id': 'd24a9a0f-4fe2-4201-8d11-beca1b388fc8',
    'content-security-policy': `default-src 'self'; style-src 'sha256-yTdk+/oR=' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='`,
    etag: 'W/"abc-0"',
    'x-frame-options': 'SAMEORIGIN',
    location: 'http://brand.example:4321/find',
  };
  expect(normalizeHeaders(headers, run)).toEqual([
    `content-security-policy: default-src 'self';\n  style-src 'sha256-[hash]' 'sha256-[empty]'`,
    'etag: W/"[etag]"',
    'location: http://brand.example:[port]/find',
    'x-frame-options: SAMEORIGIN',
    'x-request-id: [uuid]',
  ]);
  expect(normalizeHeaders(headers, run, ['x-frame-options', 'vary'])).toEqual([
    'x-frame-options: SAMEORIGIN',
  ]);
});
