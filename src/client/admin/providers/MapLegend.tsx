import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { MapPin } from '#client/ui/Icon.tsx';
import { type ProviderGroup, providerGroups } from '#shared/admin/adminProviders.ts';
import { providerCopy } from './copy.ts';
import type { ProviderLists } from './ProviderList.tsx';

const copy = providerCopy.map;
const layerNames = { active: copy.activeLayer, inactive: copy.inactiveLayer } as const;

interface MapLegendProps {
  lists: ProviderLists;
  shown: Readonly<Record<ProviderGroup, boolean>>;
  onShow: (group: ProviderGroup, isShown: boolean) => void;
  /** Providers that are not on the map. */
  unplaced: number;
}

/** The colors with their counts, and a checkbox for each group. */
export function MapLegend({ lists, shown, onShow, unplaced }: MapLegendProps) {
  return (
    <Over>
      <Box as="ul" aria-label={copy.legend}>
        {providerGroups.map((group) => (
          <Item key={group}>
            <Drop $color={groupColors[group]} />
            {providerCopy.counted(providerCopy[group], lists[group].length)}
          </Item>
        ))}
        <Item>{copy.total(lists.active.length + lists.inactive.length)}</Item>
        {unplaced === 0 ? null : <Item>{copy.notOnMap(unplaced)}</Item>}
      </Box>
      <Layers>
        <legend>{copy.layers}</legend>
        {providerGroups.map((group) => (
          <label key={group}>
            <input
              type="checkbox"
              checked={shown[group]}
              onChange={(event) => onShow(group, event.target.checked)}
            />
            {layerNames[group]}
          </label>
        ))}
      </Layers>
    </Over>
  );
}

const Over = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: start;
  justify-content: space-between;
  gap: 0.5rem;

  /* On a phone, it would cover a third of the map. */
  ${media.tablet} {
    position: absolute;
    inset: 0.75rem 0.75rem auto;
    /* Above a popup, which would cover a checkbox in part. */
    z-index: 4;
    pointer-events: none;
  }
`;

const Box = styled.div`
  display: grid;
  gap: 0.25rem;
  padding: 0.5rem 0.75rem;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: rgb(255 255 255 / 0.94);
  font-size: 0.8125rem;
  font-variant-numeric: tabular-nums;
  line-height: 1.4;
`;

const Item = styled.li`
  display: flex;
  align-items: center;
  gap: 0.375rem;
`;

const Drop = styled(MapPin)<{ $color: string }>`
  inline-size: 1.125rem;
  block-size: 1.125rem;
  color: #ffffff;
  fill: ${({ $color }) => $color};
`;

const Layers = styled(Box).attrs({ as: 'fieldset' })`
  pointer-events: auto;

  & legend {
    float: inline-start;
    padding: 0;
    color: ${token.muted};
    font-weight: 600;
  }

  & label {
    display: flex;
    clear: both;
    align-items: center;
    gap: 0.375rem;
    min-block-size: 1.5rem;

    ${media.touch} {
      min-block-size: 2.75rem;
    }

    cursor: pointer;
  }

  & input {
    inline-size: 1.5rem;
    block-size: 1.5rem;
    margin: 0;
    accent-color: ${token.primary};
  }
`;

/** Violet and gray. */
export const groupColors: Readonly<Record<ProviderGroup, string>> = {
  active: token.secondary,
  inactive: '#6b6b70',
};
