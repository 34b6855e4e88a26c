import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { signWebhook } from '#server/features/outbox/httpResult.ts';
import { isPeerMissing } from '#test/support/peers.ts';

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, yes').toString('base64')}`;
const otherSecret = `whsec_${Buffer.from('another secret of thirty-two byte').toString('base64')}`;
const body = JSON.stringify({ type: 'lead.created', data: { id: 1, first_name: 'Zoë' } });

/** The code block of a language in docs/webhooks.md. */
function snippet(language: string): string {
  const [, code] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(
    readFileSync('docs/webhooks.md', 'utf8'),
  ) ?? [undefined, undefined];
  if (code === undefined) throw new Error(`docs/webhooks.md has no ${language}`);
  return code;
}

interface Language {
  command: string;
  args: (code: string) => string[];
  /** Prints `yes` or `no` for the delivery on standard input. */
  harness: string;
}

const languages: Record<string, Language> = {
  python: {
    command: 'python3',
    args: (code) => ['-c', code],
    harness: `
import json, sys
given = json.load(sys.stdin)
print("yes" if is_genuine(given["secret"], given["headers"], given["body"].encode()) else "no")
`,
  },
  php: {
    command: 'php',
    args: (code) => ['-r', code],
    harness: `
$given = json_decode(stream_get_contents(STDIN), true);
echo is_genuine($given['secret'], $given['headers'], $given['body']) ? 'yes' : 'no';
`,
  },
};

function isMissing({ command }: Language): boolean {
  const isFound = spawnSync(command, ['--version']).status === 0;
  return isPeerMissing(isFound, `${command} is not installed.`);
}

const now = new Date();
const genuine = signWebhook({ id: 'msg_1', body, secrets: [secret], now });
const rotated = signWebhook({ id: 'msg_1', body, secrets: [otherSecret, secret], now });
const old = signWebhook({ id: 'msg_1', body, secrets: [secret], now: new Date(now.getTime() - 3_600_000) });

describe.each(Object.entries(languages))('%s', (name, language) => {
  const { command, args, harness } = language;
  describe.skipIf(isMissing(language))('is_genuine of the docs', () => {
    test.each([
      ['a genuine delivery', genuine, body, 'yes'],
      ['a delivery with two signatures, while a secret is replaced', rotated, body, 'yes'],
      ['a changed body', genuine, body.replace('1', '2'), 'no'],
      ['another id', { ...genuine, 'webhook-id': 'msg_2' }, body, 'no'],
      ['a delivery of an hour ago', old, body, 'no'],
      ['a time that is no number', { ...genuine, 'webhook-timestamp': 'soon' }, body, 'no'],
    ])('%s', (_case, headers, received, expected) => {
      const { stdout, stderr } = spawnSync(command, args(`${snippet(name)}\n${harness}`), {
        input: JSON.stringify({ secret, headers, body: received }),
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      expect(stdout.trim()).toBe(expected);
    });
  });
});
