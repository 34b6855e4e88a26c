import { signPage } from '#server/features/mail/linkTokens.ts';
import type { Services } from '#server/services.ts';
import type { TestApp } from './testApp.ts';

export const formType = { 'content-type': 'application/x-www-form-urlencoded' };

type Client = Pick<TestApp, 'get' | 'post'>;

/** The token in the form of the page at a link's path. */
export async function pageToken(
  client: { get: (path: string) => Promise<{ text: string }> },
  path: string,
): Promise<string> {
  const { text } = await client.get(path);
  const token = /<input type="hidden" name="token" value="([^"]+)"/.exec(text)?.[1];
  if (token === undefined) throw new Error(`the page has no form: ${text.slice(0, 500)}`);
  return token;
}

/** Opens the page behind a link and presses its button, or the named one: `outcome=booked`. */
export async function pressLink(client: Client, path: string, button = ''): ReturnType<Client['post']> {
  return client.post(path, `${button}&token=${await pageToken(client, path)}`, formType);
}

/** The body of the form on the page behind a link, for requests that open no page. */
export function linkForm(
  { config, now }: Pick<Services, 'config' | 'now'>,
  path: string,
  button = '',
): string {
  const [, token = ''] = /^\/\w+\/([^/]+)$/.exec(path) ?? [];
  return `${button}&token=${signPage(config.secretKeys, token, now())}`;
}
