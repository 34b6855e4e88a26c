import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { Webhook } from 'standardwebhooks';

const usage =
  'WEBHOOK_SECRET=whsec_… npm run -s webhook:verify -- --headers <file> [--body <file>] [--any-time]';
const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

type SignedHeaders = Record<(typeof names)[number], string>;

/** A header a line; what else stands there is passed over. Throws when one of the three is missing. */
function headersIn(text: string): SignedHeaders {
  const readHeader = (name: string): string => {
    const found = new RegExp(`^${name}:[ \\t]*(.*?)[ \\t\\r]*$`, 'im').exec(text)?.[1] ?? '';
    if (found === '') throw new Error(`There is no ${name} among the headers.`);
    return found;
  };
  return {
    'webhook-id': readHeader('webhook-id'),
    'webhook-timestamp': readHeader('webhook-timestamp'),
    'webhook-signature': readHeader('webhook-signature'),
  };
}

/** Throws unless one of the signatures fits, whenever it was made. */
function verifyAnyTime(webhook: Webhook, body: string, headers: SignedHeaders): void {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  const expected = webhook.sign(headers['webhook-id'], at, body);
  if (!headers['webhook-signature'].split(' ').includes(expected))
    throw new Error('No matching signature found');
}

/** `npm run webhook:verify`: says whether a delivery is genuine. Exit code 1 when it isn't. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      headers: { type: 'string' },
      body: { type: 'string' },
      'any-time': { type: 'boolean', default: false },
    },
  });
  const secret = process.env['WEBHOOK_SECRET'] ?? '';
  if (secret === '' || values.headers === undefined) throw new Error(usage);
  const headers = headersIn(readFileSync(values.headers, 'utf8'));
  const bytes = values.body === undefined ? await buffer(process.stdin) : readFileSync(values.body);
  const body = bytes.toString('utf8');
  const webhook = new Webhook(secret);
  if (values['any-time']) verifyAnyTime(webhook, body, headers);
  else webhook.verify(body, headers);
  console.log(`Genuine: ${headers['webhook-id']}, ${String(bytes.length)} bytes.`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
