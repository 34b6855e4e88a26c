import type { PublicProvider } from '#shared/providers/providers.ts';
import { ApiError } from './apiError.ts';

/** The page that follows, from the `Link` header. */
function nextPage(response: Response): string | null {
  return /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1] ?? null;
}

/** Providers of one status, with public fields only, page by page. Throws ApiError for a bad status. */
export async function fetchProviders(status: 'active' | 'inactive'): Promise<PublicProvider[]> {
  const listed: PublicProvider[] = [];
  let path: string | null = `/api/providers${status === 'active' ? '' : '?status=inactive'}`;
  while (path !== null) {
    const response: Response = await fetch(path, { credentials: 'include' });
    if (!response.ok) {
      const body = await response.text();
      throw new ApiError(response.status, body === '' ? response.statusText : body);
    }
    const page: PublicProvider[] = await response.json();
    listed.push(...page);
    path = nextPage(response);
  }
  return listed;
}
