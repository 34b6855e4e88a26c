import { once } from 'node:events';
import { createServer } from 'node:http';

/** Forked by serverProcess.ts: answers every request with the bytes it was sent. */
async function main(): Promise<void> {
  const [{ body, headers }] = (await once(process, 'message')) as [
    { body: Uint8Array; headers: Record<string, string> },
  ];
  const bytes = Buffer.from(body);
  const server = createServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(bytes);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
}

await main();
