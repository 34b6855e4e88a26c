import type { WordPress } from '../support/wordpress/wordpress.ts';

export interface Answer {
  status: number;
  /** Those that a reader of pages looks at, as far as sent. */
  headers: Record<string, string>;
  body: unknown;
}

const headerNames = ['content-type', 'x-wp-total', 'x-wp-totalpages'];

/** Asks the site as its user, who says who he is by the application password. */
export async function ask(
  { url, user, appPassword }: Pick<WordPress, 'url' | 'user' | 'appPassword'>,
  path: string,
): Promise<Answer> {
  const authorization = `Basic ${Buffer.from(`${user}:${appPassword}`).toString('base64')}`;
  const response = await fetch(url + path, { headers: { authorization } });
  return {
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => headerNames.includes(name))),
    body: await response.json(),
  };
}
