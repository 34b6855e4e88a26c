import {
  usePathname as useBrowserPathname,
  useSearch as useBrowserSearch,
} from 'wouter/use-browser-location';

/** wouter's location without its router, which only the dashboard needs. */
export { navigate } from 'wouter/use-browser-location';

/** The path of the open page, which follows client navigation. Always the same on the server. */
export function usePathname(): string {
  return useBrowserPathname(import.meta.env.SSR ? { ssrPath: '/' } : {});
}

/** The query string of the open page, without its question mark. */
export function useQuery(): string {
  return useBrowserSearch(import.meta.env.SSR ? { ssrSearch: '' } : {}).slice(1);
}
