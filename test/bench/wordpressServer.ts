import { once } from 'node:events';
import { createServer } from 'node:http';

const pageSize = 100;
const zips = ['80202', '60601', '10016', '98101', '33131', '78701', '85004'];
const places = [
  [39.7491, -104.9946],
  [41.8858, -87.6181],
  [40.7448, -73.9782],
  [47.6114, -122.3305],
  [25.7651, -80.1894],
  [30.2713, -97.7426],
  [33.4507, -112.0782],
];

/** A provider as WordPress with ACF answers it, varied as real ones are. */
function record(id: number): object {
  const [latitude = 0, longitude = 0] = places[id % places.length] ?? [];
  // Within some thirty miles of the center; every twentieth has none.
  const near = (degrees: number, step: number): string =>
    id % 20 === 0 ? '' : (degrees + ((id * step) % 1_000) / 1_000 - 0.5).toFixed(6);
  return {
    id,
    status: 'publish',
    link: `https://cms.example/provider/clinic-${id}/`,
    modified_gmt: new Date(Date.UTC(2026, 0, 1) + id * 1000).toISOString().slice(0, 19),
    title: { rendered: `Dr. Sample ${id} &#038; Partners` },
    featured_media: 0,
    meta: {},
    acf: {
      practice_name: `Sample Men&#8217;s Clinic No. ${id}`,
      address: `${id} Sample Street, Suite ${id % 300}`,
      zip_code: zips[id % zips.length],
      latitude: near(latitude, 7),
      longitude: near(longitude, 13),
      phone: `(303) 555-01${String(id % 100).padStart(2, '0')}`,
      email: `clinic-${id}@example.com`,
      website: `https://clinic-${id}.example.com/`,
      domain: `https://www.clinic-${id}.example.com/`,
      image_url: id % 3 === 0 ? `https://cms.example/uploads/${id}.jpg` : false,
      logo_url: '',
      google_ads_id: '',
      bing_ads_id: false,
      accepts_free_consultation: id % 2 === 0,
      accepts_financing: id % 3 === 0 ? '1' : '0',
    },
  };
}

/**
 * Forked by sync.ts: a WordPress-shaped site with so many providers, its pages made beforehand so that serving them costs
 * little.
 */
async function main(): Promise<void> {
  const [{ count }] = (await once(process, 'message')) as [{ count: number }];
  const pages: Buffer[] = [];
  for (let first = 1; first <= count; first += pageSize) {
    const size = Math.min(pageSize, count - first + 1);
    pages.push(
      Buffer.from(JSON.stringify(Array.from({ length: size }, (_, index) => record(first + index)))),
    );
  }
  const headers = {
    'content-type': 'application/json; charset=UTF-8',
    'x-wp-total': String(count),
    'x-wp-totalpages': String(pages.length),
  };
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://wordpress');
    const page = pages[Number(searchParams.get('page') ?? 1) - 1];
    if (page !== undefined && !searchParams.has('include')) response.writeHead(200, headers).end(page);
    else response.writeHead(400, headers).end('{"code":"rest_post_invalid_page_number"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
}

await main();
