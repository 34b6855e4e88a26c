import { startEmbedded } from '#scripts/embeddedPostgres/start.ts';

/** A process of its own for start.test.ts: starts the server, reports it, and stops it on a message. */
const [dataDir = '', durability] = process.argv.slice(2);
const server = await startEmbedded({ dataDir, durable: durability === 'durable' });
process.send?.({ url: server.url, adopted: server.adopted });
process.once('message', () => {
  void server.stop().then(() => process.exit(0));
});
