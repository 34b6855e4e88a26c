import { expect, test } from 'vitest';
import { roundView } from '#shared/leads/geo.ts';
import { seededRandom } from '#scripts/sampleData/seededRandom.ts';
import {
  cellDegrees,
  cellsIn,
  clusterSizePx,
  coarser,
  gridZoom,
  joinOverlapping,
  type MapCell,
  toShown,
} from './mapGrid.ts';

function cellAt(id: number, longitude: number, latitude: number): MapCell {
  return {
    id,
    count: 1,
    longitude,
    latitude,
    west: longitude,
    south: latitude,
    east: longitude,
    north: latitude,
  };
}

function randomCells(count: number): MapCell[] {
  const random = seededRandom(count);
  return Array.from({ length: count }, (_, at) => cellAt(at + 1, -120 + random() * 50, 26 + random() * 22));
}

const sumCounts = (cells: readonly { count: number }[]): number =>
  cells.reduce((sum, { count }) => sum + count, 0);

test('a coarser grid has the same providers in fewer cells, each within its bounds', () => {
  const cells = randomCells(2_000);
  const grid = coarser(cells, 5);
  expect(grid.length).toBeLessThan(cells.length);
  expect(sumCounts(grid)).toBe(2_000);
  const wide = coarser(grid, 3);
  expect(wide.length).toBe(coarser(cells, 3).length);
  for (const { west, east, south, north, longitude, latitude } of wide) {
    expect(east - west).toBeLessThanOrEqual(cellDegrees(3));
    expect([longitude >= west, longitude <= east, latitude >= south, latitude <= north]).not.toContain(false);
  }
});

test('circles that would overlap are joined, and no provider is lost', () => {
  const zoom = 4;
  const grid = coarser(randomCells(3_000), zoom);
  const shown = joinOverlapping(grid, zoom);
  expect(shown.length).toBeLessThan(grid.length);
  expect(sumCounts(shown)).toBe(3_000);
  const pixelsPerDegree = (256 * 2 ** zoom) / 360;
  for (const [at, one] of shown.entries())
    for (const other of shown.slice(at + 1)) {
      const dx = one.longitude - other.longitude;
      const dy = (one.latitude - other.latitude) / Math.cos((one.latitude * Math.PI) / 180);
      expect(Math.hypot(dx, dy) * pixelsPerDegree).toBeGreaterThanOrEqual(clusterSizePx);
    }
});

test('only the cells in the box are shown, one provider as a pin', () => {
  const cells = [cellAt(1, -105, 39), { ...cellAt(2, -104, 39), count: 3 }, cellAt(3, -90, 39)];
  const { clusters, pins } = toShown(cellsIn(cells, { west: -110, south: 30, east: -100, north: 40 }));
  expect(pins).toEqual([{ id: 1, longitude: -105, latitude: 39 }]);
  expect(clusters.map(({ count }) => count)).toEqual([3]);
});

test('a box larger than any screen has a coarser grid', () => {
  expect(gridZoom({ west: -125, south: 24, east: -66, north: 50 }, 4)).toBe(4);
  expect(gridZoom({ west: -180, south: -90, east: 180, north: 90 }, 20)).toBe(3);
  expect(gridZoom({ west: -105, south: 39, east: -105, north: 39 }, 20)).toBe(20);
});

test('a rounded view contains the view, and small moves round to the same', () => {
  const view = { west: -105.4, south: 39.2, east: -104.5, north: 40.1 };
  const rounded = roundView(view, 9);
  expect(rounded.west).toBeLessThanOrEqual(view.west);
  expect(rounded.east).toBeGreaterThanOrEqual(view.east);
  expect(rounded.south).toBeLessThanOrEqual(view.south);
  expect(rounded.north).toBeGreaterThanOrEqual(view.north);
  expect(roundView({ ...view, west: -105.41, north: 40.08 }, 9)).toEqual(rounded);
  expect(roundView(rounded, 9)).toEqual(rounded);
  expect(roundView({ west: -179, south: -89, east: 179, north: 89 }, 0)).toEqual({
    west: -180,
    south: -90,
    east: 180,
    north: 90,
  });
});
