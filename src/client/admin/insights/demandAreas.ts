import { continentalView, type MapArea, type MapView } from '#client/map/mapTypes.ts';
import type { Demand } from '#shared/admin/insights.ts';

export type DemandArea = Demand['areas'][number];

export interface PlacedArea extends MapArea {
  area: DemandArea;
}

/** The areas with a known location. Three digits make a unique number, even with leading zeros. */
export function areasOnMap(areas: readonly DemandArea[]): PlacedArea[] {
  return areas.flatMap((area) =>
    area.point === null ? [] : [{ id: Number(area.zip3), count: area.leads, ...area.point, area }],
  );
}

/** Degrees of longitude from coast to coast, with a margin on both sides. */
const continentDegrees = 66;
/** The width of the world at zoom 0. */
const worldPixels = 256;
const zoomRange = { min: 2, max: 4.25 };

/** The view of the continental United States for a map of this width. */
export function continentIn(widthPixels: number): MapView {
  const zoom = Math.log2((widthPixels * 360) / continentDegrees / worldPixels);
  return { ...continentalView, zoom: Math.min(zoomRange.max, Math.max(zoomRange.min, zoom)) };
}
