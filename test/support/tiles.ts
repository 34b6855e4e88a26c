import { createServer } from 'node:http';

export interface Tiles extends AsyncDisposable {
  /** For MAP_TILES_URL. */
  url: string;
  host: string;
  /** The requested paths so far: `/z/x/y.png`. */
  asked: string[];
}

/** One gray pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);

/** A map tile server on a free port that answers every request with the same tile or failure. */
export async function startTiles({ status = 200 }: { status?: number } = {}): Promise<Tiles> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(status, { 'content-type': 'image/png', 'access-control-allow-origin': '*' });
    response.end(status === 200 ? pixel : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the tile server has no port');
  const host = `127.0.0.1:${address.port}`;
  return {
    url: `http://${host}/{z}/{x}/{y}.png`,
    host,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
