import type { IncomingHttpHeaders } from 'node:http';

/** What differs between runs and is printed in pages. */
interface Run {
  port: number;
}

const jsonType = /^(?:application\/json|application\/ld\+json)$/;
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Hash of the empty string. The other hashes in a content security policy are of generated text. */
const emptyHash = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** Names of JSON values that are random in each response. */
const randomKeys = new Set(['transactionId', 'requestId']);

const tokens = /<!--[^]*?-->|<[!/]?[a-z](?:"[^"]*"|'[^']*'|[^'">])*>|[^<]+|</gi;
const attributes = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
const rawElements = /(<(script|style)\b(?:"[^"]*"|'[^']*'|[^'">])*>)([^]*?)<\/\2>/gi;

function toAttributes(tag: string): Map<string, string> {
  const inside = tag.replace(/^<[^\s/>]+/, '').replace(/\/?>$/, '');
  return new Map(
    [...inside.matchAll(attributes)].map(([, name = '', double, single, bare]) => [
      name,
      double ?? single ?? bare ?? '',
    ]),
  );
}

/**
 * Built code and styles become `[chunk]`, since the bundler names them. Other built files keep their name and lose
 * their hash.
 */
function normalizeAssets(text: string): string {
  const built = /\/assets\/([\w.-]+)-(?:[\w-]{7}(?=\.js\b)|[\w-]{8}(?!\.js\b))\.(\w+)/g;
  return text.replaceAll(built, (_all, name: string, extension: string) =>
    extension === 'js' || extension === 'css'
      ? `/assets/[chunk].${extension}`
      : `/assets/${name}-[hash].${extension}`,
  );
}

/** Class names that styled-components generated. Its style tag lists them. */
function generatedClasses(html: string): Set<string> {
  const lists = html.matchAll(/data-styled\.g\d+\[id="([^"]+)"\]\{content:"([^"]*)"\}/g);
  return new Set([...lists].flatMap(([, id = '', names = '']) => [id, ...names.split(',')]));
}

function normalizeClass(value: string, generated: ReadonlySet<string>): string {
  return value
    .split(' ')
    .filter((name) => !generated.has(name) && !name.startsWith('sc-'))
    .join(' ');
}

function printAttribute([name, value]: readonly [string, string]): string {
  if (name === 'data-styled-version') return `${name}="[version]"`;
  if (name === 'data-chunks') return `${name}="${[...new Set(normalizeAssets(value).split(' '))].join(' ')}"`;
  return `${name}="${normalizeAssets(value)}"`;
}

/** Attributes are sorted by name, since their order has no meaning. */
function printTag(tag: string, generated: ReadonlySet<string>): string {
  const [start = ''] = /^<[^\s>]+/.exec(tag) ?? [];
  if (start.startsWith('</') || start.startsWith('<!')) return tag;
  const named = toAttributes(tag);
  const classes = named.get('class');
  if (classes !== undefined) {
    const kept = normalizeClass(classes, generated);
    if (kept === '') named.delete('class');
    else named.set('class', kept);
  }
  const printed = [...named].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(printAttribute);
  return `${[start.replace(/\/$/, ''), ...printed].join(' ')}>`;
}

/** Makes leading and trailing spaces and line breaks visible. */
function printText(text: string): string {
  return text
    .replaceAll('\n', '[newline]')
    .replace(/^ +/, (spaces) => '[space]'.repeat(spaces.length))
    .replace(/ +$/, (spaces) => '[space]'.repeat(spaces.length));
}

function normalizeJson(value: unknown): string {
  return JSON.stringify(
    value,
    (key, inner: unknown) =>
      randomKeys.has(key) && typeof inner === 'string' ? inner.replace(uuid, '[uuid]') : inner,
    2,
  );
}

/**
 * Content of a script or style element: JSON with one value per line, `[css]` for generated styles, `[code]` for code.
 */
function printRaw(tag: string, content: string): string[] {
  const named = toAttributes(tag);
  if (tag.startsWith('<style')) return [content === '' ? '' : '[css]'];
  if (named.get('id') === 'boot') return ['[boot data]'];
  if (jsonType.test(named.get('type') ?? '')) return normalizeJson(JSON.parse(content)).split('\n');
  return [content === '' ? '' : '[code]'];
}

/** The data that a page carries for its scripts; null for a page without scripts. */
function parseBoot(html: string): Record<string, unknown> | null {
  const [, json] = /<script type="application\/json" id="boot">([^]*?)<\/script>/.exec(html) ?? [];
  return json === undefined ? null : (JSON.parse(json) as Record<string, unknown>);
}

function withoutRun(text: string, { port }: Run): string {
  return text.replaceAll(`:${port}`, ':[port]').replaceAll(`%3A${port}%2F`, '%3A[port]%2F');
}

/** A form's token is printed in its field and in the page's data. */
function withoutToken(html: string): string {
  const token = parseBoot(html)?.['formToken'];
  return typeof token === 'string' && token !== '' ? html.replaceAll(token, '[form token]') : html;
}

/**
 * A page as lines, one tag or text per line. Removes only what differs between builds and runs: names and hashes of
 * built files, generated class names, style text, code of inline scripts, the form's token, the port. Also removes
 * comments (React writes them between texts), repeated preloads of built code, and the page's data for its scripts,
 * which only our own scripts read.
 */
export function normalizeHtml(html: string, run: Run): string {
  const generated = generatedClasses(html);
  const lines: string[] = [];
  let text = '';
  const endText = (): void => {
    if (text !== '') lines.push(printText(text));
    text = '';
  };
  const readMarkup = (markup: string): void => {
    for (const [token] of markup.matchAll(tokens)) {
      if (token.startsWith('<!--')) continue;
      if (token.startsWith('<') && token.length > 1) {
        endText();
        const line = printTag(token, generated);
        if (!(line.includes('rel="modulepreload"') && line === lines.at(-1))) lines.push(line);
      } else text += token;
    }
  };
  const source = withoutToken(withoutRun(html, run));
  let readTo = 0;
  for (const match of source.matchAll(rawElements)) {
    const [all, tag = '', name = '', content = ''] = match;
    readMarkup(source.slice(readTo, match.index));
    endText();
    lines.push(printTag(tag, generated), ...printRaw(tag, content).filter(Boolean), `</${name}>`);
    readTo = match.index + all.length;
  }
  readMarkup(source.slice(readTo));
  endText();
  return `${lines.join('\n')}\n`;
}

/** A normalized page without the content of its lead form, which only the golden files of forms hold. */
export function foldLeadForm(lines: string): string {
  return lines.replace(
    /^(<form [^\n]*data-lead-form="(?:landing|microsite)"[^\n]*>\n)[^]*?^(?=<\/form>)/m,
    '$1[lead form]\n',
  );
}

/** The lead form of a normalized page. */
export function selectLeadForm(lines: string): string {
  return `${/^<form [^\n]*data-lead-form[^]*?^<\/form>/m.exec(lines)?.[0] ?? '[no form]'}\n`;
}

const outlined =
  /^<(?:html |link [^\n]*rel="canonical"|meta [^\n]*name="(?:robots|theme-color)"|form |a [^\n]*href="(?:\w+:))/;

/**
 * What crawlers, browsers and other sites see of a normalized page: its language and colors, title, heading, canonical
 * address, forms, and links to elsewhere, each once.
 */
export function outlineHtml(normalized: string): string {
  const titled = normalized.replaceAll(
    /^(<(title|h1)\b[^>]*>)\n([^]*?)\n<\/\2>/gm,
    (_all, tag: string, _name, text: string) =>
      `${tag} ${text.replaceAll(/(?:<[^>]*>|\[space\]|\s)+/g, ' ').trim()}`,
  );
  const lines = titled.split('\n').filter((line) => outlined.test(line) || /^<(?:title|h1)/.test(line));
  return `${[...new Set(lines)].join('\n')}\n`;
}

/** A body by its type: HTML as lines, JSON with one value per line, other types without the port. */
export function normalizeBody(
  { headers, text }: { headers: IncomingHttpHeaders; text: string },
  run: Run,
): string {
  const type = headers['content-type'] ?? '';
  if (type.startsWith('text/html')) return normalizeHtml(text, run);
  if (/^application\/(?:.+\+)?json/.test(type))
    return `${withoutRun(normalizeJson(JSON.parse(text)), run)}\n`;
  return withoutRun(text, run);
}

const volatileHeaders: Record<string, (value: string) => string> = {
  date: () => '[date]',
  'content-length': () => '[length]',
  'x-request-id': (value) => value.replace(uuid, '[uuid]'),
  etag: (value) => value.replace(/"[^"]+"/, '"[etag]"'),
  ratelimit: (value) => value.replaceAll(/t=\d+/g, 't=[seconds]'),
  'retry-after': (value) => value.replace(/^\d+$/, '[seconds]'),
  'content-security-policy': (value) =>
    value
      .replaceAll(emptyHash, "'sha256-[empty]'")
      .replaceAll(/'sha256-[\w+/]+='/g, "'sha256-[hash]'")
      .replaceAll('; ', ';\n  '),
};

/** Headers as lines, sorted by name. `names` selects headers. */
export function normalizeHeaders(
  headers: IncomingHttpHeaders,
  run: Run,
  names: readonly string[] = Object.keys(headers),
): string[] {
  return names.toSorted().flatMap((name) => {
    const value = headers[name];
    if (value === undefined) return [];
    const printed = (volatileHeaders[name] ?? ((same: string) => same))(
      typeof value === 'string' ? value : value.join(', '),
    );
    return [`${name}: ${withoutRun(printed, run)}`];
  });
}
