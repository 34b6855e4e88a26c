import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import postgres from 'postgres';

/**
 * Forked by leads.ts: stores one row per request in a table of its own and answers 201 with its id. It does nothing
 * else: no validation, no match, no evidence.
 */
async function main(): Promise<void> {
  const [{ databaseUrl, connections }] = (await once(process, 'message')) as [
    { databaseUrl: string; connections: number },
  ];
  const sql = postgres(databaseUrl, { max: connections, onnotice: () => undefined });
  await sql`create table if not exists bench_rows (
    id bigint generated always as identity primary key, first_name text, last_name text, email text, phone text, zip_code text,
    created_at timestamptz default now())`;

  async function store(request: IncomingMessage): Promise<string> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const lead: Record<string, string> = JSON.parse(body);
    const [row] = await sql`
      insert into bench_rows (first_name, last_name, email, phone, zip_code)
      values (${lead['first_name'] ?? ''}, ${lead['last_name'] ?? ''}, ${lead['email'] ?? ''}, ${lead['phone'] ?? ''}, ${lead['zip_code'] ?? ''})
      returning id`;
    return JSON.stringify({ id: Number(row?.['id']) });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await store(request);
    response.writeHead(201, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    });
    response.end(text);
  }

  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
}

await main();
