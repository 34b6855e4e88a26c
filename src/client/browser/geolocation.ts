import type { GeoPoint } from '#shared/leads/geo.ts';
import { debugLog } from './debugLog.ts';

const timeoutMs = 15_000;

/**
 * Where the visitor is, as exactly as the device knows, once the browser has their leave; null when it isn't given or the place can't be
 * found, which is logged for developers and said to nobody. The place is for this page alone: no caller may send it anywhere.
 */
export function findVisitor(): Promise<GeoPoint | null> {
  return new Promise((resolve) => {
    if (!('geolocation' in navigator)) {
      resolve(null);
      return;
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => resolve({ latitude, longitude }),
      (error) => {
        debugLog('No location:', error.message);
        resolve(null);
      },
      { enableHighAccuracy: true, timeout: timeoutMs },
    );
  });
}
