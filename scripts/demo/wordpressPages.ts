import { Router } from '@koa/router';
import type { ProviderInsert } from '#server/db/schema/index.ts';
import { sampleProviders } from '#scripts/sampleData/sampleProviders.ts';
import { answerAsWordPress, type FeedRecord, feedRecord } from './wordpressFeed.ts';
import { getForm } from './readForm.ts';
import { html, page } from './html.ts';

interface Site {
  router: Router;
  /** Its providers as a sync stores them. */
  providers: ProviderInsert[];
}

const path = '/wordpress';
/** The fields that the edit page offers. */
const editable = ['practice_name', 'address', 'zip_code', 'phone', 'email'] as const;

/** An address as a sync writes it. */
function href(address: string | null | undefined): string | null {
  return typeof address === 'string' ? new URL(address).href : null;
}

function toRecord(provider: ProviderInsert): FeedRecord {
  const { wordpressId, name, status, latitude, longitude } = provider;
  return feedRecord(Number(wordpressId), {
    title: { rendered: name },
    status: status === 'f' ? 'draft' : 'publish',
    acf: {
      practice_name: provider.practiceName ?? '',
      address: provider.address ?? '',
      zip_code: provider.zipCode,
      latitude: String(latitude ?? ''),
      longitude: String(longitude ?? ''),
      phone: provider.phone ?? '',
      email: provider.email,
      website: provider.website ?? '',
      url: provider.url ?? '',
      domain: provider.domain ?? '',
      logo_url: provider.logoUrl ?? '',
      image_url: provider.imageUrl ?? '',
      accepts_free_consultation: provider.acceptsFreeConsultation ?? false,
      accepts_financing: provider.acceptsFinancing ?? false,
    },
  });
}

/** The content of an image URL of the samples. */
function renderSvg(dataUrl: string): string {
  return decodeURIComponent(dataUrl.slice(dataUrl.indexOf(',') + 1));
}

function getField({ acf }: FeedRecord, name: string): string {
  const value: unknown = Reflect.get(Object(acf), name);
  return typeof value === 'string' ? value : '';
}

/**
 * A site with the REST routes of WordPress that a sync reads, with the sample providers. `/wordpress` lists and edits
 * them; nothing is stored.
 */
export function wordpressPages(origin: string): Site {
  const router = new Router({ prefix: path });
  const images = new Map<string, string>();

  /** Uploads a sample's image. A sync accepts no image inside a URL. */
  function upload(name: string, dataUrl: string | null | undefined): string | null {
    if (typeof dataUrl !== 'string') return null;
    images.set(name, renderSvg(dataUrl));
    return `${origin}${path}/wp-content/uploads/${name}`;
  }

  const providers = sampleProviders().map((sample) => ({
    ...sample,
    website: href(sample.website),
    url: href(sample.url),
    logoUrl: upload(`${sample.wordpressId}-logo.svg`, sample.logoUrl),
    imageUrl: upload(`${sample.wordpressId}-image.svg`, sample.imageUrl),
  }));
  const records = providers.map(toRecord);
  const find = (id: unknown): FeedRecord | undefined => records.find((record) => record.id === Number(id));

  router.get('/wp-json/wp/v2/*route', (ctx) => {
    ctx.respond = false;
    const { searchParams: query, pathname } = new URL(ctx.url, origin);
    const route = pathname.slice(`${path}/wp-json/wp/v2/`.length);
    answerAsWordPress({ records, media: [] }, { path: route, query, headers: ctx.req.headers }, ctx.res);
  });

  router.get('/wp-content/uploads/:name', (ctx) => {
    ctx.type = 'svg';
    ctx.body = images.get(ctx.params['name'] ?? '');
  });

  router.get('/', (ctx) => {
    const items = records.map(
      (record) =>
        html`<li>
          <a href="${path}/wp-admin/post.php?post=${record.id}&action=edit">
            ${getField(record, 'practice_name') || `Provider ${record.id}`}
          </a>
          <div class="muted">${getField(record, 'phone')} · ${String(record['status'])}</div>
        </li>`,
    );
    ctx.body = page(
      'WordPress',
      html`<p>Change a provider, then choose “Sync Providers” in the dashboard.</p>
        <ul>
          ${items}
        </ul>`,
    );
  });

  router.get('/wp-admin/post.php', (ctx) => {
    const record = find(ctx.query['post']);
    if (record === undefined) return;
    const inputs = editable.map(
      (name) => html`<label>${name} <input name="${name}" value="${getField(record, name)}" /></label>`,
    );
    const checked = { html: record['status'] === 'publish' ? 'checked' : '' };
    ctx.body = page(
      `Edit provider ${record.id}`,
      html`<form method="post" action="${path}/providers/${record.id}">
        ${inputs}
        <label class="check"><input type="checkbox" name="publish" ${checked} /> Published</label>
        <button>Update</button>
      </form>`,
    );
  });

  router.post('/providers/:id', async (ctx) => {
    const record = find(ctx.params['id']);
    if (record === undefined) return;
    const form = await getForm(ctx.req);
    const changes = editable.map((name): [string, string] => [name, form.get(name) ?? '']);
    Object.assign(record, {
      acf: { ...Object(record['acf']), ...Object.fromEntries(changes) },
      status: form.has('publish') ? 'publish' : 'draft',
      modified_gmt: new Date().toISOString().slice(0, 19),
    });
    ctx.redirect(path);
  });

  return { router, providers };
}
