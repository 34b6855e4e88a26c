import { sourceMessages as words } from './messages.ts';
import { type FieldMap, isRecord, readField, topNames } from '#server/config/fieldMap.ts';
import { pictureIds } from './clinicFields.ts';
import { pictureGiven, positiveNumber } from './fieldValues.ts';
import { type RawPage, recordsMax, type Source, SourceError } from './source.ts';
import {
  isTransient,
  type Patience,
  type WordPressAccess,
  type WordPressAnswer,
  WordPressClient,
} from './wordpressRequest.ts';

export interface WordPressOptions extends WordPressAccess {
  type: string;
  fields: FieldMap;
  /** Reads only later changes; null: everything. */
  modifiedAfter: Date | null;
  /** Shorter waits, for tests. */
  patience?: Patience;
}

const pageSize = 100;
const pagesAtOnce = 4;
const unpublished = 'draft,pending,private,future,trash';

interface ListPage extends RawPage {
  /** Numbers of pages and providers from the response's headers. */
  pages: number | null;
  total: number | null;
}

function headerNumber({ headers }: WordPressAnswer, name: string): number | null {
  const text = headers.get(name) ?? '';
  return /^\d{1,12}$/.test(text) ? Number(text) : null;
}

function getCode({ json }: WordPressAnswer): unknown {
  return isRecord(json) ? json['code'] : undefined;
}

const credentialCodes = new Set<unknown>(['incorrect_password', 'invalid_username', 'invalid_email']);

/** Whether WordPress doesn't accept the account. A plugin or firewall that closes a path answers otherwise. */
function isCredentialFault(answer: WordPressAnswer): boolean {
  return answer.status === 401 || credentialCodes.has(getCode(answer));
}

/** WordPress answers 403 to an account that lacks a right, and 401 to a stranger. */
function isMissingRight(answer: WordPressAnswer): boolean {
  return answer.status === 403 && getCode(answer) === 'rest_forbidden_context';
}

/** Whether the account may not read unpublished posts: `status` is then an invalid parameter. */
function refusesStatus(answer: WordPressAnswer): boolean {
  if (answer.status !== 400 || getCode(answer) !== 'rest_invalid_param' || !isRecord(answer.json))
    return false;
  const { data } = answer.json;
  return isRecord(data) && isRecord(data['params']) && Object.hasOwn(data['params'], 'status');
}

function listIds(records: readonly unknown[]): number[] {
  return records.flatMap((record) => (isRecord(record) ? (positiveNumber(record['id']) ?? []) : []));
}

/** Images that a record contains by their ids, without a URL. */
function listPictures(
  record: unknown,
  fields: FieldMap,
): { column: 'image_url' | 'logo_url' | 'pictures'; id: number }[] {
  if (!isRecord(record)) return [];
  const gallery = pictureIds(readField(fields, record, 'pictures')).map((id) => ({
    column: 'pictures' as const,
    id,
  }));
  const single = (['image_url', 'logo_url'] as const).flatMap((column) => {
    const id = positiveNumber(pictureGiven(readField(fields, record, column)));
    return id === null ? [] : { column, id };
  });
  return [...single, ...gallery];
}

/** The providers of a WordPress site, by its REST API. Sends no request before `pages()` is read. */
export function createWordPressSource(options: WordPressOptions): Source {
  const { type, fields, modifiedAfter, credentials } = options;
  const site = options.url.replace(/\/+$/, '');
  const client = new WordPressClient({ ...options, url: site }, options.patience);
  // Whether a post is protected by a password: these subfields are computed without the texts themselves.
  const isProtected = ['content.protected', 'excerpt.protected'];
  const listed = ['id', 'status', 'modified_gmt', ...isProtected, ...topNames(fields)];
  const listFields = { _fields: [...new Set(listed)].join(','), per_page: String(pageSize) };
  let expectedTotal: number | null = null;
  /** Why pictures can't be read; null as long as they can. */
  let mediaFault: string | null = null;

  /** Checks the password, which public reads ignore: by users/me, or by a private list where a plugin closes that. */
  async function proveCredentials(signal: AbortSignal): Promise<void> {
    if (credentials === null) return;
    const what = 'The WordPress account';
    const me = await client.get('users/me', { _fields: 'id' }, { what, signal });
    if (me.status === 200) return;
    if (isCredentialFault(me)) throw new SourceError(words.credentials);
    const query = { context: 'edit', per_page: '1', _fields: 'id' };
    const list = await client.get(type, query, { what, signal });
    if (list.status === 200 || isMissingRight(list)) return;
    if (isCredentialFault(list)) throw new SourceError(words.credentials);
    if (list.status === 404) throw new SourceError(words.noSuchType(type));
    throw new SourceError(words.blocked('users/me', me.status, me.firewall ?? list.firewall));
  }

  function joinList(answer: WordPressAnswer, what: string): unknown[] {
    if (answer.status === 401 || answer.status === 403)
      throw new SourceError(words.refused(what, answer.status, answer.firewall));
    if (answer.status !== 200) throw new SourceError(words.status(what, answer.status));
    if (!Array.isArray(answer.json)) throw new SourceError(words.notList(what));
    return answer.json;
  }

  /** Adds image URLs by their ids. Throws SourceError. */
  async function readMedia(
    found: Map<number, string>,
    ids: readonly number[],
    signal?: AbortSignal,
  ): Promise<void> {
    const query = { include: ids.join(','), _fields: 'id,source_url', per_page: String(pageSize) };
    const what = 'The list of pictures';
    for (const item of joinList(await client.get('media', query, { what, signal }), what)) {
      const id = isRecord(item) ? positiveNumber(item['id']) : null;
      if (isRecord(item) && id !== null && typeof item['source_url'] === 'string')
        found.set(id, item['source_url']);
    }
  }

  /** Records with the URLs of their images. If a site closes its list of pictures, providers keep those they have. */
  async function withMedia(records: readonly unknown[], signal?: AbortSignal): Promise<RawPage> {
    const pictures = records.map((record) => listPictures(record, fields));
    const ids = [...new Set(pictures.flat().map(({ id }) => id))];
    const media = new Map<number, string>();
    const unread = new Set(ids);
    // Not asked again after a refusal: some sites block an address after several.
    for (let at = 0; at < ids.length && mediaFault === null; at += pageSize) {
      const some = ids.slice(at, at + pageSize);
      try {
        await readMedia(media, some, signal);
        for (const id of some) unread.delete(id);
      } catch (error) {
        if (!(error instanceof SourceError) || isTransient(error)) throw error;
        mediaFault ??= error.message;
      }
    }
    const kept = pictures.map((own) => own.flatMap(({ column, id }) => (unread.has(id) ? column : [])));
    return { records, media, kept };
  }

  /** Only editors see unpublished posts. An anonymous sync learns of them by a complete crawl. */
  function range(): Record<string, string> {
    if (modifiedAfter === null) return { status: 'publish' };
    return {
      status: credentials === null ? 'publish' : `publish,${unpublished}`,
      modified_after: modifiedAfter.toISOString(),
    };
  }

  /** A page; null after the last one. */
  async function readPage(page: number, signal: AbortSignal): Promise<ListPage | null> {
    const what = `Page ${page}`;
    const order = { orderby: 'id', order: 'asc', page: String(page) };
    const answer = await client.get(type, { ...listFields, ...range(), ...order }, { what, signal });
    if (answer.status === 400 && page > 1 && getCode(answer) === 'rest_post_invalid_page_number') return null;
    if (answer.status === 404) throw new SourceError(words.noSuchType(type));
    if (refusesStatus(answer)) throw new SourceError(words.noEditRight(type));
    const records = joinList(answer, what);
    return {
      ...(await withMedia(records, signal)),
      pages: headerNumber(answer, 'x-wp-totalpages'),
      total: headerNumber(answer, 'x-wp-total'),
    };
  }

  /**
   * Pages in order, a few ahead. The header's count is a hint: the crawl ends at a page that doesn't exist, or when one
   * after the announced last brings nothing new. Two earlier ones that bring nothing new mean an endless feed.
   */
  async function* crawl(signal: AbortSignal): AsyncGenerator<RawPage> {
    await proveCredentials(signal);
    const first = await readPage(1, signal);
    const announced = first?.pages ?? 1;
    const read = (page: number): Promise<ListPage | null> => readPage(page, signal);
    const seen = new Set<number>();
    let [number, barren, count] = [0, 0, 0];
    for await (const page of readAhead({ first, read, atOnce: pagesAtOnce, announced })) {
      if (page === null) return;
      const before = seen.size;
      for (const id of listIds(page.records)) seen.add(id);
      number += 1;
      count += page.records.length;
      barren = seen.size === before ? barren + 1 : 0;
      expectedTotal = page.total ?? expectedTotal;
      if (count > recordsMax) throw new SourceError(words.tooMany(recordsMax));
      if (barren > 1) throw new SourceError(words.endless);
      // Records read twice are reported by the caller. After the end, such a page is only the last one again.
      if (barren > 0 && number > announced) return;
      if (page.records.length > 0) yield page;
      if (barren > 0 && number === announced) return;
    }
  }

  async function* pages(): AsyncGenerator<RawPage> {
    const stopping = new AbortController();
    try {
      yield* crawl(stopping.signal);
    } finally {
      // Pages being read ahead are no longer needed.
      stopping.abort();
    }
  }

  async function find(ids: readonly number[]): Promise<RawPage> {
    const what = 'What was missing';
    const query = { ...listFields, status: 'publish', include: ids.join(','), per_page: String(pageSize) };
    return withMedia(joinList(await client.get(type, query, { what }), what));
  }

  return {
    kind: 'wordpress',
    base: `${site}/`,
    pages,
    find,
    expectedTotal: () => expectedTotal,
    notes: () => (mediaFault === null ? [] : [words.noPictures(mediaFault)]),
    modifiedAt(record) {
      const text = isRecord(record) ? record['modified_gmt'] : null;
      // Without a zone, JavaScript would use this machine's.
      const at =
        typeof text === 'string' && /^\d{4}-\d\d-\d\dT[\d:]{8}$/.test(text) ? new Date(`${text}Z`) : null;
      return at !== null && Number.isFinite(at.getTime()) ? at : null;
    },
  };
}

interface ReadAhead<Page> {
  first: Page;
  /** Reads page 2 and later ones. */
  read: (page: number) => Promise<Page>;
  atOnce: number;
  /** Pages up to this one are read ahead, later ones only when needed. */
  announced: number;
}

/** `first`, then the others in order, without end. A failed page throws in its turn; later ones are abandoned. */
async function* readAhead<Page>({ first, read, atOnce, announced }: ReadAhead<Page>): AsyncGenerator<Page> {
  const reading: Promise<Page>[] = [];
  let next = 2;
  const begin = (): void => {
    const page = read(next);
    // It may fail before its turn, and the caller may have stopped.
    page.catch(() => undefined);
    reading.push(page);
    next += 1;
  };
  yield first;
  for (;;) {
    for (let left = atOnce - reading.length; left > 0; left -= 1)
      if (next <= announced || reading.length === 0) begin();
    const page = await reading[0];
    if (page === undefined) return;
    void reading.shift();
    yield page;
  }
}
