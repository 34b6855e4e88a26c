import 'maplibre-gl/dist/maplibre-gl.css';
import * as maplibre from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import {
  AttributionControl,
  Map as MapCanvas,
  type MapEvent,
  type MapLayerMouseEvent,
  type MapRef,
  NavigationControl,
} from 'react-map-gl/maplibre';
import { mapCopy } from '#shared/brand/map.ts';
import { AreaCircles, areaLayerId, PlaceMarker, StreetTiles, useTilesState, MapSheet } from './mapLayers.tsx';
import type { Basemap } from './basemap.ts';
import { ChosenPin } from './ChosenPin.tsx';
import { DetailLayers } from './DetailLayers.tsx';
import { mapColors, mapStyle, namesLayerIds } from './mapStyle.ts';
import type { MapCanvasProps, MapPin, MapView, PinGroup, ShownView } from './mapTypes.ts';
import {
  addPinImages,
  ChosenPinLayer,
  chosenPinLayerId,
  clusterLayerId,
  pinLayerId,
  PinLayers,
  pinSourceId,
} from './PinLayers.tsx';

/** Before the first map: the workers start while the page is rendered. Two only help beside two more processors. */
maplibre.setWorkerUrl(workerUrl);
maplibre.setWorkerCount(navigator.hardwareConcurrency >= 4 ? 2 : 1);
maplibre.prewarm();

/** New workers for the next map. Those that a failed map leaves behind may hang. */
export function restartWorkers(): void {
  maplibre.clearPrewarmedResources();
  maplibre.prewarm();
}

/** MapLibre's world is 512 px wide at zoom 0: one less than street maps count. */
const zoomOffset = 1;
const zoomMin = 2 - zoomOffset;
/**
 * Streets are visible up to this zoom. Without tiles the map has towns but no roads: at the lower one, a phone shows ten
 * miles, as far as one town is from the next. Closer, there would be pins on empty ground.
 */
const zoomMax = { tiles: 18 - zoomOffset, ground: 11 - zoomOffset };
/** The least zoom for a provider chosen on the page. On the basemap, its state stays recognizable. */
const chosenZoomMin = { tiles: 11 - zoomOffset, ground: 7 - zoomOffset };

/** An area is shown with its neighbors. */
const areaZoomMin = 6 - zoomOffset;

/** From this zoom, one state fills the map. */
const detailZoomMin = 6 - zoomOffset;

/** In pixels, around the pins of a pressed cluster. */
const clusterPadding = 60;

const unseenPixelRatio = 0.1;

/** MapLibre has three texts but shows only the one for touch: a mouse is never restricted. */
const gestureCopy = {
  'CooperativeGesturesHandler.MobileHelpText': mapCopy.twoFingers,
  'CooperativeGesturesHandler.WindowsHelpText': mapCopy.twoFingers,
  'CooperativeGesturesHandler.MacHelpText': mapCopy.twoFingers,
};

/** On phones, one finger scrolls the page, even over the map, and two fingers move the map. */
function leavesSwipesToPage(scrollZoom: boolean): boolean {
  return !scrollZoom || matchMedia('(pointer: coarse)').matches;
}

const noPins: readonly MapPin[] = [];

type Props = MapCanvasProps & { basemap: Basemap };

/** Pins, clusters, a popup and a marked place over the basemap and street tiles. Browser only: load it by LazyMap. */
export function ProviderMap(props: Props) {
  const {
    basemap,
    groups,
    areas,
    clusters = true,
    counted,
    view,
    tilesUrl,
    place = null,
    scrollZoom = true,
  } = props;
  // All empty lists are one: MapLibre renders, and gets idle again, only when a source changes.
  const pins = props.pins.length === 0 ? noPins : props.pins;
  const [map, setMap] = useState<MapRef | null>(null);
  const [isLoaded, setIsLoaded] = useState(false);
  /** The pins that are rendered, as far as they are in view. */
  const [settledPins, setSettledPins] = useState<readonly MapPin[] | null>(null);
  const [isOverPin, setIsOverPin] = useState(false);
  const [leavesSwipes] = useState(() => leavesSwipesToPage(scrollZoom));
  const style = useMemo(() => mapStyle(basemap, mapColors()), [basemap]);
  const chosenId = props.chosen?.id;
  const chosenPin = useMemo(() => pins.find(({ id }) => id === chosenId), [pins, chosenId]);
  const pinsByGroup = useMemo(() => byGroup(pins, chosenPin), [pins, chosenPin]);
  const tilesState = useTilesState(map);
  const reportTilesFailed = useEffectEvent(props.onTilesFailed);
  useEffect(() => {
    if (tilesState === 'failed') reportTilesFailed();
  }, [tilesState]);
  const reportDrawn = useEffectEvent(props.onDrawn);
  // Once it is visible, so that the page can move the focus to it.
  useEffect(() => {
    if (isLoaded) reportDrawn();
  }, [isLoaded]);
  useView(map, view);
  useFirstView(isLoaded ? map : null, props.onView);
  useLostContext(isLoaded ? null : map, props.onUndrawn);
  useStateNames(isLoaded ? map : null, tilesState !== 'shown');
  const detail = tilesUrl === null || tilesState === 'failed' ? 'ground' : 'tiles';
  const hasCounted = (group: PinGroup): boolean => counted !== undefined && group === groups[0];
  // MapLibre can't change whether a source makes clusters, so it is another source.
  const getLayersId = (group: PinGroup): string => (hasCounted(group) ? `${group.key}-counted` : group.key);
  const pinLayers = groups.map(getLayersId).flatMap((id) => [pinLayerId(id), clusterLayerId(id)]);
  const [firstPins] = pinLayers;
  const layers = [chosenPinLayerId, ...pinLayers, ...(areas === undefined ? [] : [areaLayerId])];

  function onLoad({ target }: MapEvent): void {
    target.touchZoomRotate.disableRotation();
    target.keyboard.disableRotation();
    target.setPixelRatio(window.devicePixelRatio);
    setIsLoaded(true);
  }

  /** Tile failures are displayed by useTilesState. Without a listener, each would be a console error. */
  function onError({ error }: { error: Error }): void {
    if (isLoaded) return;
    // The browser may have had a drawing context for the probe but none for the map.
    props.onUndrawn(error instanceof maplibre.GPUInitializationError ? 'unsupported' : 'failed');
  }

  return (
    <MapSheet aria-busy={settledPins !== pins} $isHidden={!isLoaded}>
      <MapCanvas
        ref={setMap}
        mapLib={maplibre}
        mapStyle={style}
        initialViewState={getCamera(view)}
        minZoom={zoomMin}
        maxZoom={zoomMax[detail]}
        scrollZoom={scrollZoom}
        cooperativeGestures={leavesSwipes}
        dragRotate={false}
        pitchWithRotate={false}
        touchPitch={false}
        attributionControl={false}
        interactiveLayerIds={isLoaded ? layers : []}
        cursor={isOverPin ? 'pointer' : 'grab'}
        locale={{
          'Map.Title': props.label,
          'NavigationControl.ZoomIn': mapCopy.zoomIn,
          'NavigationControl.ZoomOut': mapCopy.zoomOut,
          'Popup.Close': mapCopy.closePopup,
          ...gestureCopy,
        }}
        // Otherwise the map is rendered many times while names and pins fade in.
        fadeDuration={0}
        // Low resolution while the map is hidden: pixels are the main work of a device without a graphics card.
        pixelRatio={unseenPixelRatio}
        // When the style is loaded, before the first rendering.
        onStyleData={({ target }) => addPinImages(target, groups)}
        onRender={({ target }) => {
          if (!isLoaded) renderUnseen(target);
        }}
        onLoad={onLoad}
        onIdle={() => setSettledPins(pins)}
        onMoveEnd={({ target }) => {
          if (isLoaded) props.onView?.(shownView(target));
        }}
        onMouseEnter={() => setIsOverPin(true)}
        onMouseLeave={() => setIsOverPin(false)}
        onClick={(event) => void onPress(event, props)}
        onError={onError}
      >
        {tilesUrl !== null && isLoaded ? <StreetTiles url={tilesUrl} /> : null}
        {detail === 'ground' && isLoaded ? <DetailLayers zoomMin={detailZoomMin} /> : null}
        {areas === undefined ? null : <AreaCircles areas={areas} />}
        {groups.map((group) => (
          <PinLayers
            key={getLayersId(group)}
            id={getLayersId(group)}
            group={group}
            pins={pinsByGroup[group.key] ?? noPins}
            clusters={clusters && !hasCounted(group)}
            {...(counted !== undefined && hasCounted(group) ? { counted } : {})}
          />
        ))}
        {chosenPin === undefined ? null : <ChosenPinLayer pin={chosenPin} />}
        {place === null || firstPins === undefined ? null : (
          <PlaceMarker place={place} pinsLayerId={firstPins} />
        )}
        {isLoaded ? (
          <ChosenPin {...props} zoomMin={areas === undefined ? chosenZoomMin[detail] : areaZoomMin} />
        ) : null}
        <NavigationControl position="bottom-right" showCompass={false} />
        <AttributionControl
          position="bottom-left"
          compact={false}
          customAttribution={mapCopy.basemapAttribution}
        />
      </MapCanvas>
    </MapSheet>
  );
}

/** The pins of each group without the chosen one, which has a layer of its own. */
function byGroup(pins: readonly MapPin[], chosen: MapPin | undefined): Record<string, MapPin[]> {
  const groups: Record<string, MapPin[]> = {};
  for (const pin of pins) if (pin !== chosen) (groups[pin.group] ??= []).push(pin);
  return groups;
}

function getCamera({ center, zoom }: MapView) {
  return { longitude: center.longitude, latitude: center.latitude, zoom: zoom - zoomOffset };
}

/** Reports the view of the drawn map to a page that wants it, which may decide so later than the map is drawn. */
function useFirstView(map: MapRef | null, onView: Props['onView']): void {
  const report = useEffectEvent((shown: ShownView) => onView?.(shown));
  const isWanted = onView !== undefined;
  useEffect(() => {
    if (map !== null && isWanted) report(shownView(map.getMap()));
  }, [map, isWanted]);
}

function shownView(map: maplibre.Map): ShownView {
  const bounds = map.getBounds();
  return {
    west: Math.max(-180, bounds.getWest()),
    south: Math.max(-90, bounds.getSouth()),
    east: Math.min(180, bounds.getEast()),
    north: Math.min(90, bounds.getNorth()),
    zoom: map.getZoom() + zoomOffset,
  };
}

/** A map that loses its drawing context before the first rendering waits forever. Later, MapLibre restores itself. */
function useLostContext(map: MapRef | null, onUndrawn: Props['onUndrawn']): void {
  useEffect(() => {
    if (map === null) return undefined;
    const canvas = map.getCanvas();
    const onLost = (): void => onUndrawn('failed');
    // The context may be lost before the listener is added.
    if (canvas.getContext('webgl2')?.isContextLost() === true) onLost();
    canvas.addEventListener('webglcontextlost', onLost);
    return () => canvas.removeEventListener('webglcontextlost', onLost);
  }, [map, onUndrawn]);
}

/** Moves the map when the view changes. */
function useView(map: MapRef | null, view: MapView): void {
  const shown = useRef(view);
  useEffect(() => {
    if (map === null || shown.current === view) return;
    shown.current = view;
    const { longitude, latitude, zoom } = getCamera(view);
    map.flyTo({ center: [longitude, latitude], zoom });
  }, [map, view]);
}

/** Hides state names while street tiles, which have names of their own, are visible. */
function useStateNames(map: MapRef | null, isShown: boolean): void {
  useEffect(() => {
    for (const id of namesLayerIds)
      map?.getMap().setLayoutProperty(id, 'visibility', isShown ? 'visible' : 'none');
  }, [map, isShown]);
}

/**
 * Makes the browser draw what was sent while the map is hidden. Otherwise it would wait until the map is visible, and
 * the first visible frame would wait for every shader. The browser may postpone a flush, but not one behind a fence.
 */
function renderUnseen(map: maplibre.Map): void {
  const gl = map.getCanvas().getContext('webgl2');
  if (gl === null) return;
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl.flush();
  gl.deleteSync(fence);
}

/** Chooses a pin or opens a cluster. A click between them clears the choice. */
async function onPress({ features, target }: MapLayerMouseEvent, { groups, onChoose }: Props): Promise<void> {
  const [feature] = features ?? [];
  if (feature === undefined || feature.geometry.type !== 'Point') {
    onChoose(null);
    return;
  }
  const { id, cluster_id: clusterId, west, south, east, north } = feature.properties;
  if (typeof clusterId !== 'number') {
    if (typeof west === 'number') target.fitBounds([west, south, east, north], { padding: clusterPadding });
    else if (typeof id === 'number') onChoose({ id, from: 'map' });
    return;
  }
  const group = groups.find(({ key }) => clusterLayerId(key) === feature.layer.id);
  const source = group === undefined ? undefined : target.getSource(pinSourceId(group.key));
  if (!(source instanceof maplibre.GeoJSONSource)) return;
  const zoom = await source.getClusterExpansionZoom(clusterId);
  const [longitude = 0, latitude = 0] = feature.geometry.coordinates;
  target.easeTo({ center: [longitude, latitude], zoom: zoom + 0.5 });
}
