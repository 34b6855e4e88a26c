import type { PageData } from '#shared/pages/boot.ts';
import type { EarlyLinks } from './document.ts';
import type { Manifest } from './manifest.ts';

const mapSource = 'src/client/map/ProviderMap.tsx';
const basemapSource = 'src/client/map/basemap.json';
const providersPath = '/api/providers';

/**
 * What a screen whose first sight is a map is to ask for before its scripts do; null for every other screen. Not the map's own code: told
 * of early it is read before the page's, which on two processors comes to life later for it than the map gains.
 */
export function earlyLinks(manifest: Manifest, kind: PageData['kind']): EarlyLinks | null {
  if (kind !== 'map') return null;
  const [map, ground] = [manifest[mapSource], manifest[basemapSource]];
  if (map === undefined || ground === undefined) throw new Error('The map is not in the build’s manifest');
  return { styles: map.css.map((file) => `/${file}`), files: [`/${ground.file}`], answers: [providersPath] };
}
