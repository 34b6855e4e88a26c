import { continentalView, type MapArea, type MapView } from '#client/map/mapTypes.ts';
import type { Demand } from '#shared/admin/insights.ts';

export type DemandArea = Demand['areas'][number];

export interface PlacedArea extends MapArea {
  area: DemandArea;
}

/** The areas whose place is known. Three digits make a number of their own, leading zeros or not. */
export function areasOnMap(areas: readonly DemandArea[]): PlacedArea[] {
  return areas.flatMap((area) =>
    area.point === null ? [] : [{ id: Number(area.zip3), count: area.leads, ...area.point, area }],
  );
}

/** Degrees of longitude from coast to coast, with some sea on either side. */
const continentDegrees = 66;
/** Of the world, at a street map's zoom 0. */
const worldPixels = 256;
const zoomRange = { min: 2, max: 4.25 };

/** The continental United States in a map so many pixels wide. */
export function continentIn(widthPixels: number): MapView {
  const zoom = Math.log2((widthPixels * 360) / continentDegrees / worldPixels);
  return { ...continentalView, zoom: Math.min(zoomRange.max, Math.max(zoomRange.min, zoom)) };
}
