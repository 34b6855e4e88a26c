import type { TenantView } from '#shared/tenant.ts';
import type { SharedLink } from '../http/shareImages.ts';
import type { Awaitable, TenantDirectory } from '../tenant/site.ts';

/** What the picture of a clinic's links shows, from memory; null for an id that is no active clinic's. */
export function sharedLinks({ findById }: Pick<TenantDirectory, 'findById'>) {
  const linkOf = (view: TenantView | null): SharedLink | null =>
    view === null ? null : { path: view.shareImage, image: { clinic: view.label, hue: view.themeHue } };
  return (id: number): Awaitable<SharedLink | null> => {
    const view = findById(id);
    return view instanceof Promise ? view.then(linkOf) : linkOf(view);
  };
}
