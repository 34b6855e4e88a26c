import * as maplibre from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';

/**
 * One cuts the ground into tiles, one the clinics, where there are processors for both beside the page's own thread and the one that draws;
 * else the second's start alone takes longer than it saves.
 */
function workerCount(processors: number): number {
  return processors >= 4 ? 2 : 1;
}

/** To be called once, before the first map: they come up while the rest of the page is drawn. */
export function startWorkers(): void {
  maplibre.setWorkerUrl(workerUrl);
  maplibre.setWorkerCount(workerCount(navigator.hardwareConcurrency));
  maplibre.prewarm();
}

/** New ones, as those a failed map leaves behind may hang, and would outlive it: they are kept for the next map. */
export function restartWorkers(): void {
  maplibre.clearPrewarmedResources();
  maplibre.prewarm();
}
