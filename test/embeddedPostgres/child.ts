import { startEmbedded } from '#scripts/embeddedPostgres/start.ts';

/** A process of its own for embedded.test.ts: starts the server, reports, and stops it when told. */
const [dataDir = ''] = process.argv.slice(2);
const server = await startEmbedded({ dataDir, durable: false });
process.send?.({ url: server.url, adopted: server.adopted });
process.once('message', () => {
  void server.stop().then(() => process.exit(0));
});
