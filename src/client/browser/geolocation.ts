import type { GeoPoint } from '#shared/leads/geo.ts';
import { debugLog } from './log.ts';

const timeoutMs = 15_000;

/**
 * The visitor's location, as exact as the device knows it, if the visitor permits it. Null without permission or
 * location; the reason is logged for developers only. The location is only for this page: no caller may send it
 * anywhere.
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
