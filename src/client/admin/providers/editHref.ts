import type { AdminProvider } from '#shared/admin/adminProviders.ts';

/**
 * Where a provider is edited in WordPress; null for one that isn't kept there. `wordpressUrl` is the configured site; without it the one that the
 * provider's own page is on.
 */
export function editHref(
  { wordpress_id: id, url }: Pick<AdminProvider, 'wordpress_id' | 'url'>,
  wordpressUrl: string | null = null,
): string | null {
  const site = wordpressUrl ?? url;
  if (id === null || site === null || !URL.canParse(site)) return null;
  const base = new URL(site);
  if (base.protocol !== 'https:' && base.protocol !== 'http:') return null;
  const folder = wordpressUrl === null ? '/' : base.pathname.replace(/\/*$/, '/');
  return `${base.origin}${folder}wp-admin/post.php?post=${id}&action=edit`;
}
